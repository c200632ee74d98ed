import { describe, expect, test } from 'vitest'
import {
  commandOf,
  patchOf,
  pathOf,
  resultOf,
  type ToolVocabulary,
  useOf,
} from '../../src/session/tool-use.ts'

const TOOLS: ToolVocabulary = {
  one: { Read: { reads: 'file' }, Change: { edits: ['file', 'old_name'] }, Run: { shell: 'line' } },
  two: { look_up: { reads: 'where' }, run: { writes: 'where' }, fix: { patches: 'diff' } },
}
const call = (name: string, args: unknown) => ({ id: 'c', name, arguments: args })

describe('what a tool does', () => {
  test('is decided by its own client first: two clients may mean different things by one name', () => {
    expect(useOf(TOOLS, 'Run', 'one')).toEqual({ shell: 'line' })
    expect(useOf(TOOLS, 'run', 'two')).toEqual({ writes: 'where' })
    expect(commandOf(TOOLS, call('Run', { line: 'ls', where: 'a' }), 'one')).toBe('ls')
    expect(commandOf(TOOLS, call('run', { line: 'ls', where: 'a' }), 'two')).toBeUndefined()
    expect(pathOf(TOOLS, call('run', { line: 'ls', where: 'a' }), 'two')).toBe('a')
  })

  test('is decided by any client when its own is not known, however the name is written', () => {
    for (const client of [undefined, 'three', 'two', '__proto__', 'toString'])
      for (const name of ['Read', 'READ', 're_ad', 'mcp__server__Read'])
        expect(useOf(TOOLS, name, client)).toEqual({ reads: ['file'] })
    expect(resultOf(TOOLS, 'lookup', 'one')).toBe('reads')
    expect(resultOf(TOOLS, 'mcp__server__Read', 'one')).toBeUndefined()
  })

  test('is guessed from the words of a name that no client has', () => {
    expect(useOf(TOOLS, 'mcp__fs__delete_it', 'one')).toEqual({ removes: ['file', 'old_name', 'where'] })
    expect(useOf(TOOLS, 'str_replace', undefined).edits).toBeDefined()
    expect(patchOf(TOOLS, call('patch_all', { diff: '*** Add File: a' }), 'one')).toBe('*** Add File: a')
    for (const name of ['Now', 'toString', '']) expect(useOf(TOOLS, name, 'one')).toEqual({})
  })
})

describe('what a call is about', () => {
  test('is in the argument that its tool has for it, else in one that any tool has for it', () => {
    expect(pathOf(TOOLS, call('Change', { where: 'b', old_name: 'a' }), 'one')).toBe('a')
    expect(pathOf(TOOLS, call('Change', { where: 'b' }), 'one')).toBe('b')
    expect(pathOf(TOOLS, call('Unknown', { where: 'b' }), 'one')).toBe('b')
    expect(commandOf(TOOLS, call('Unknown', { line: 'ls' }), undefined)).toBe('ls')
  })

  test('is a command also as a program with its words, and a patch also in a command or as the bare argument', () => {
    expect(commandOf(TOOLS, call('Run', { line: ['bash', '-lc', 'npm test'] }), 'one')).toBe('npm test')
    const patch = '*** Begin Patch\n*** Delete File: a\n*** End Patch'
    expect(patchOf(TOOLS, call('Run', { line: ['apply_patch', patch] }), 'one')).toBe(patch)
    expect(patchOf(TOOLS, call('Run', { line: 'ls' }), 'one')).toBeUndefined()
    expect(patchOf(TOOLS, call('fix', patch), 'two')).toBe(patch)
  })

  test('is not known when no argument names it', () => {
    for (const args of [undefined, null, 'a', [], {}, { file: 1 }, { file: '' }]) {
      expect(pathOf(TOOLS, call('Read', args), 'one')).toBeUndefined()
      expect(commandOf(TOOLS, call('Run', args), 'one')).toBeUndefined()
      expect(patchOf(TOOLS, call('fix', args), 'two')).toBeUndefined()
    }
  })
})
