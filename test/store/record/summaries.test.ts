import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SummaryFile } from '../../../src/session/summary-file.ts'
import { readSummaries, writeSummary } from '../../../src/store/record/summaries.ts'

const one: SummaryFile = {
  version: '1.0',
  range: { startMessageId: 'a', endMessageId: 'z', startSeq: 0, endSeq: null, messageCount: 26 },
  hash: `sha256:${'5e'.repeat(32)}`,
  summary: { content: 'They chose REST.', tokens: 5, model: 'model-x' },
  originalTokens: 1000,
  compressionRatio: 0.005,
  created_at: '2026-11-21T10:30:00.000Z',
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cortext-summaries-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

test('S4-P1-4 S4-P3-13 S4-DS-5: a summary is read as it was written, unknown keys too; the same range gives the same file', () => {
  const where = folder()
  expect(readSummaries(where)).toEqual({ summaries: [], problems: [] })
  const path = writeSummary(where, { ...one, later: true })
  expect(path).toBe(join(where, '.session/summaries', `${'5e'.repeat(8)}.json`))
  expect(readSummaries(where)).toEqual({ summaries: [{ ...one, later: true }], problems: [] })
  writeSummary(where, one)
  expect(readSummaries(where).summaries).toEqual([one])
  expect(readdirSync(join(where, '.session/summaries'))).toHaveLength(1)
})

test('a file that is not a summary is reported, and never fatal; a summary of a newer major version is skipped', () => {
  const where = folder()
  writeSummary(where, one)
  const summaries = join(where, '.session/summaries')
  const broken = { 'cut.json': '{"version": "1.0", "ra', 'list.json': '[]', 'empty.json': '' }
  for (const [name, text] of Object.entries(broken)) writeFileSync(join(summaries, name), text)
  symlinkSync('/etc/hostname', join(summaries, 'link.json'))
  mkdirSync(join(summaries, 'folder.json'))
  writeFileSync(join(summaries, 'newer.json'), JSON.stringify({ ...one, version: '2.0' }))
  writeFileSync(join(summaries, 'notes.txt'), 'mine')
  const read = readSummaries(where)
  expect(read.summaries).toEqual([one])
  expect(read.problems.map(({ path, kind }) => [path, kind])).toEqual(
    ['cut', 'empty', 'folder', 'link', 'list'].map((name) => [
      join(summaries, `${name}.json`),
      'broken-summary',
    ]),
  )
})

test('a summary is not written through a symlink', () => {
  const where = folder()
  const path = writeSummary(where, one)
  const victim = join(where, 'victim')
  renameSync(path, victim)
  symlinkSync(victim, path)
  const before = readFileSync(victim, 'utf8')
  const other = { ...one, summary: { ...one.summary, content: 'Other words.' } }
  expect(() => writeSummary(where, other)).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
  expect(readFileSync(victim, 'utf8')).toBe(before)
})

test('a file in the place of summaries/ is reported', () => {
  const where = folder()
  mkdirSync(join(where, '.session'))
  writeFileSync(join(where, '.session/summaries'), '')
  expect(readSummaries(where).summaries).toEqual([])
  expect(() => writeSummary(where, one)).toThrow('where a folder should be')
})
