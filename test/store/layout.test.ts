import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkRelativePath, fileNameOf, recordFiles } from '../../src/store/layout.ts'

const anyId = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
  fc.stringMatching(/^[./~%a-bA\\-]{1,8}$/),
  fc.stringMatching(/^(con|AUX|nul|com1|lpt9|prn)(\.x|\.)?$/),
)

describe('S4-P1-15: ids as file names', () => {
  test('law: every id gives a plain name that stays in its folder, is not hidden and fits every file system', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const name = fileNameOf(id)
        expect(name).toMatch(/^[A-Za-z0-9_%-][A-Za-z0-9_.%-]*$/)
        expect(name.length).toBeLessThan(200)
        expect(posix.join('/a/b', name)).toBe(`/a/b/${name}`)
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|\.$/i)
      }),
    )
  })

  test('law: different ids have different names', () => {
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        // What is no valid text (half a surrogate) is the replacement character on any disk.
        const [left, right] = [Buffer.from(a).toString(), Buffer.from(b).toString()]
        expect(fileNameOf(left) === fileNameOf(right)).toBe(left === right)
      }),
    )
  })

  test('ids as the clients make them stay as they are', () => {
    for (const id of ['0b1a9f3e-5f2c-4c62-9f62-0d8c3e1b7a11', 'ses_6d0Ab', 'session-2026-01-01T10-00-abc.v2'])
      expect(fileNameOf(id)).toBe(id)
    expect(() => fileNameOf('')).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
  })
})

test('S4-P1-15: paths in tracked files stay below the root', () => {
  for (const path of ['conversations/2026-01-01/001-a', '.hidden/ü b/c..d'])
    expect(checkRelativePath(path)).toBe(path)
  for (const path of ['', '/a', 'a/', '../a', 'a/../b', './a', 'a/./b', 'a//b', 'a\\b', 'C:/a', 'a\nb'])
    expect(() => checkRelativePath(path)).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
})

test('S1-001k: the tree of a conversation', () => {
  expect(recordFiles('/w/c')).toEqual({
    folder: '/w/c/.session',
    session: '/w/c/.session/session.json',
    messages: '/w/c/.session/messages.jsonl',
    summaries: '/w/c/.session/summaries',
    archive: '/w/c/.session/archive',
    subagents: '/w/c/.session/subagents',
    attachments: '/w/c/.session/attachments',
  })
})
