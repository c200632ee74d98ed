import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEnds } from '../../../../src/clients/shared/transcript/file-ends.ts'
import { tempFolder } from '../../../store/sandbox.ts'

const line = (timestamp: string, length: number) =>
  `${JSON.stringify({ text: 'x'.repeat(length), timestamp })}\n`

test.each([
  ['a line begins in the head and ends in the tail', line('2020-01-01T00:00:00.000Z', 1000).repeat(64)],
  ['the last line is longer than the tail', `${line('2020-01-01T00:00:00.000Z', 90_000)}`],
])('a session was last active at the time of its last line, also where %s', (_, text) => {
  const path = join(tempFolder(), 'session.jsonl')
  writeFileSync(path, text)
  utimesSync(path, new Date(), new Date())
  expect(text.length).toBeGreaterThan(64 * 1024)
  expect(readEnds(path)?.lastActive.toISOString()).toBe('2020-01-01T00:00:00.000Z')
})
