import { describe, expect, test } from 'vitest'
import { editsOf, seenIn } from '../../../src/extras/why/edits.ts'
import { TOOLS } from '../../context/tools.ts'

const of = (client: string, name: string, args: unknown) =>
  editsOf(TOOLS, { id: 'c', name, arguments: args }, client)
const part = { before: 'a', after: 'b', all: false }

describe('the edits of a tool call', () => {
  test.each([
    ['claude', 'Edit', { file_path: '/p', old_string: 'a', new_string: 'b' }],
    ['claude', 'MultiEdit', { file_path: '/p', edits: [{ old_string: 'a', new_string: 'b' }] }],
    ['gemini', 'replace', { file_path: '/p', old_string: 'a', new_string: 'b', expected_replacements: 1 }],
    ['opencode', 'edit', { filePath: '/p', oldString: 'a', newString: 'b' }],
    ['other', 'mcp__files__str_replace_edit', { path: '/p', old_str: 'a', new_str: 'b' }],
  ])('%s: %s replaces a text by another one', (client, name, args) => {
    expect(of(client, name, args)).toEqual([{ path: '/p', kind: 'parts', parts: [part] }])
  })

  test.each([
    ['claude', 'Write', { file_path: '/p', content: 'all' }],
    ['gemini', 'write_file', { file_path: '/p', content: 'all' }],
    ['opencode', 'write', { filePath: '/p', content: 'all' }],
    ['other', 'create', { path: '/p', file_text: 'all' }],
  ])('%s: %s writes the whole file', (client, name, args) => {
    expect(of(client, name, args)).toEqual([{ path: '/p', kind: 'whole', text: 'all' }])
  })

  test('Claude Code trims the lines that it inserts, but not in Markdown, and removes the line break after a text that goes', () => {
    const given = (file_path: string, new_string: string) => ({ file_path, old_string: 'a', new_string })
    const put = (path: string, text: string) => of('claude', 'Edit', given(path, text))
    expect(put('/p.ts', 'b  \n\tc\t\n ')).toMatchObject([{ parts: [{ after: 'b\n\tc\n' }] }])
    expect(put('/p.md', 'b  \n')).toMatchObject([{ parts: [{ after: 'b  \n' }] }])
    expect(put('/p.ts', '')).toMatchObject([{ parts: [{ after: '', takesBreak: true }] }])
    expect(put('/p.ts', 'b')).toEqual([{ path: '/p.ts', kind: 'parts', parts: [part] }])
    expect(of('gemini', 'replace', given('/p.ts', 'b  '))).toMatchObject([{ parts: [{ after: 'b  ' }] }])
  })

  test('a call can replace every occurrence', () => {
    const given = { file_path: '/p', old_string: 'a', new_string: 'b' }
    const all = [{ kind: 'parts', parts: [{ all: true }] }]
    expect(of('claude', 'Edit', { ...given, replace_all: true })).toMatchObject(all)
    expect(of('gemini', 'replace', { ...given, expected_replacements: 3 })).toMatchObject(all)
  })

  test('a patch adds, changes, moves and deletes several files', () => {
    const patchText = [
      '*** Begin Patch',
      '*** Add File: new.ts',
      '+one',
      '+two',
      '*** Update File: old.ts',
      '*** Move to: moved.ts',
      '@@ function',
      ' kept',
      '-a',
      '+b',
      '@@',
      '-c',
      '*** Delete File: gone.ts',
      '*** End Patch',
    ].join('\n')
    const parts = [
      { before: 'kept\na', after: 'kept\nb', all: false, lines: true },
      { before: 'c', after: '', all: false, lines: true },
    ]
    expect(of('opencode', 'apply_patch', { patchText })).toEqual([
      { path: 'new.ts', kind: 'whole', text: 'one\ntwo' },
      { path: 'old.ts', kind: 'parts', parts },
      { path: 'moved.ts', kind: 'parts', parts },
      { path: 'gone.ts', kind: 'removed' },
    ])
  })

  test('a call that changes a file without its text is an unknown edit', () => {
    expect(of('claude', 'NotebookEdit', { notebook_path: '/p', new_source: 'x' })).toEqual([
      { path: '/p', kind: 'unknown' },
    ])
    expect(of('claude', 'Edit', { file_path: '/p', edits: [{ old_string: 1 }] })).toEqual([
      { path: '/p', kind: 'unknown' },
    ])
  })

  test('a call that reads, searches or runs a command makes no edit', () => {
    expect(of('claude', 'Read', { file_path: '/p' })).toEqual([])
    expect(of('claude', 'Bash', { command: 'sed -i s/a/b/ p' })).toEqual([])
    expect(of('claude', 'Edit', 'no object')).toEqual([])
  })
})

describe('the text that a tool has read', () => {
  const seen = (answer: string, more: object = {}) =>
    seenIn(TOOLS, { id: 'c', name: 'Read', arguments: { file_path: '/p', ...more } }, 'claude', answer)

  test.each([
    ['Claude Code', '     1→one\n     2→  two'],
    ['Claude Code, newer', '     1\tone\n     2\t  two'],
    ['OpenCode', '<file>\n00001| one\n00002|   two\n\n(End of file - total 2 lines)\n</file>'],
  ])('%s: numbered lines give the whole file', (_, answer) => {
    expect(seen(answer)).toEqual({ path: '/p', kind: 'seen', text: 'one\n  two\n' })
  })

  test('Claude Code numbers the end of a file, which is not a line', () => {
    expect(seen('1\tone\n2\ttwo\n3\t')).toMatchObject({ text: 'one\ntwo\n' })
    expect(seen('1\tone\n2\t\n3\t')).toMatchObject({ text: 'one\n\n' })
  })

  test('a part of a file, and an answer without numbers, give nothing', () => {
    expect(seen('     1→one', { limit: 1 })).toBeUndefined()
    expect(seen('     7→one')).toBeUndefined()
    expect(seen('one\ntwo')).toBeUndefined()
  })
})
