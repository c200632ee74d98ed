import { expect, test } from 'vitest'
import { isOpenFolder, isSafe, twinsAmong, whyNoName } from '../../../src/journeys/syncing/names.ts'

test('a path that leads elsewhere, or has a name of git, is not safe', () => {
  const unsafe = [
    '../x',
    '/x',
    'a//b',
    'a/./b',
    'C:/x',
    'a\\b',
    'a\u0007',
    'a\ufffd',
    '.git/x',
    'a/.GIT',
    'a/.gitmodules',
  ]
  expect(unsafe.filter(isSafe)).toEqual([])
  expect(isSafe('conversations/2026-11-21/001-chat-x/größe – 1.md')).toBe(true)
})

test('Windows has no file of some names, and each system none of a very long one', () => {
  const odd = ['a/con.md', 'a/NUL', 'a./b', 'a /b', 'a/b:c', 'a/b|c', 'a/"b"', 'a/b?']
  for (const path of odd) {
    expect(whyNoName(path, 'win32'), path).toBe('Windows has no such name')
    expect(whyNoName(path, 'linux'), path).toBeUndefined()
  }
  for (const path of ['ü'.repeat(120), 'a/'.repeat(50), `${'a'.repeat(200)}/`.repeat(5)])
    expect(whyNoName(path), path).toBe('its name is too long')
  expect(whyNoName('conversations/2026-11-21/001-chat-x/.session/messages.jsonl', 'win32')).toBeUndefined()
})

test('conversations are found in open folders', () => {
  expect(isOpenFolder('conversations/2026-11-21/001-chat-x')).toBe(true)
  expect(['.claude/x', 'a/.b/c', 'a/node_modules/b'].filter(isOpenFolder)).toEqual([])
})

test('of names that a disk does not tell apart, the one that is here counts, or the first', () => {
  const paths = ['a/Notes.md', 'a/gr\u00fcn.md', 'a/gru\u0308n.md', 'a/notes.md', 'b/notes.md']
  expect([...twinsAmong(paths, () => false)]).toEqual(['a/gru\u0308n.md', 'a/notes.md'])
  expect([...twinsAmong(paths, (path) => path === 'a/notes.md')]).toEqual(['a/Notes.md', 'a/gru\u0308n.md'])
})
