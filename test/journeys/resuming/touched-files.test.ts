import { expect, test } from 'vitest'
import { touchedFiles } from '../../../src/journeys/resuming/touched-files.ts'
import { said } from '../../session/conversations.ts'

function touched(...calls: [name: string, args: unknown][]) {
  const tool_calls = calls.map(([name, args], n) => ({ id: `t${n}`, name, arguments: args }))
  return [...touchedFiles(['/home/me/ws'], [said('a', { role: 'assistant', tool_calls })])]
}

test('touched files are those that tool calls named, by their path in the workspace, for all three clients', () => {
  expect(
    touched(
      ['Read', { file_path: '/home/me/ws/src/a.ts' }],
      ['edit', { filePath: 'src/b.ts' }],
      ['read_file', { absolute_path: '/home/me/ws/c.md' }],
      ['replace', { file_path: './d/../d/e.ts' }],
      ['NotebookEdit', { notebook_path: '/home/me/ws/n.ipynb' }],
      ['mcp__editor__open', { path: 'f.ts' }],
    ),
  ).toEqual([
    ['src/a.ts', 'read'],
    ['src/b.ts', 'edited'],
    ['c.md', 'read'],
    ['d/e.ts', 'edited'],
    ['n.ipynb', 'edited'],
    ['f.ts', 'read'],
  ])
})

test('a touched file counts as edited even if it was read before or after', () => {
  expect(touched(['Read', { path: 'a' }], ['Write', { path: 'a' }], ['Read', { path: 'a' }])).toEqual([
    ['a', 'edited'],
  ])
})

test('touched files are only inside the root, without the root itself and calls without a path', () => {
  expect(
    touched(
      ['Read', { path: '/etc/passwd' }],
      ['Read', { path: '../other/x' }],
      ['Glob', { path: '/home/me/ws' }],
      ['Read', { path: '/home/me/ws-other/x' }],
      ['Bash', { command: 'cat y' }],
      ['Now', null],
      ['Read', { path: '..notes' }],
    ),
  ).toEqual([['..notes', 'read']])
})

test('a call that failed touched nothing', () => {
  const call = said('a', {
    role: 'assistant',
    tool_calls: [{ id: 't', name: 'Edit', arguments: { path: 'a' } }],
  })
  const failure = said('r', { role: 'tool', tool_call_id: 't', is_error: true })
  expect(touchedFiles(['/ws'], [call]).size).toBe(1)
  expect(touchedFiles(['/ws'], [call, failure]).size).toBe(0)
})
