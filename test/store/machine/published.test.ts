import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type PublishedMark, readPublished, writePublished } from '../../../src/store/machine/published.ts'

const PATH = 'conversations/2026-11-20/001-brainstorm-growing'
const MARK: PublishedMark = {
  ...{ by: 'a test', record: 'a stamp', messages: 0, tokens: 0, newest: '', asked: '', ids: 0, segments: [] },
}

function known(local: string): { has(id: string): boolean } | undefined {
  return readPublished(local, PATH)?.recordedIds
}

test('ids of any form are found again, also those that were added later', () => {
  const local = mkdtempSync(join(tmpdir(), 'cortext-published-'))
  const first = writePublished(local, PATH, MARK, ['one', 'zwei €', 'a'.repeat(32)])
  writePublished(local, PATH, MARK, ['late'], first)
  const ids = known(local)
  expect(['one', 'zwei €', 'a'.repeat(32), 'late'].map((id) => ids?.has(id))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['two', 'a'.repeat(31), 'b'.repeat(32)].map((id) => ids?.has(id))).toEqual([false, false, false])
})

// In a hash table by the first bytes, as it was here before, each of these ids passes all others.
test('ids that a stranger chose with the same beginning are found like others', { timeout: 20_000 }, () => {
  const local = mkdtempSync(join(tmpdir(), 'cortext-published-'))
  const chosen = Array.from({ length: 40_000 }, (_, n) => `00000000${n.toString(16).padStart(24, '0')}`)
  writePublished(local, PATH, MARK, chosen)
  const ids = known(local)
  expect(chosen.every((id) => ids?.has(id))).toBe(true)
  expect(ids?.has(`00000000${'f'.repeat(24)}`)).toBe(false)
})
