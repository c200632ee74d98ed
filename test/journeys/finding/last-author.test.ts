import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lastAuthor } from '../../../src/journeys/finding/last-author.ts'
import { tempFolder as temporaryFolder } from '../../store/sandbox.ts'

function record(...lines: (object | string)[]): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.session'))
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(join(folder, '.session/messages.jsonl'), text.map((line) => `${line}\n`).join(''))
  return folder
}

const said = (content: string, author?: unknown, role = 'user') => ({
  ...{ id: content, role, content, timestamp: '2026-01-02T10:00:00Z' },
  ...(author === undefined ? {} : { author }),
})

test('the last author is found near the end of a record, before what agent and tools said', () => {
  const folder = record(said('one', 'Ann'), said('two', 'Bob'), said('three', undefined, 'assistant'))
  expect(lastAuthor(folder)).toBe('Bob')
  const long = record(said('x'.repeat(200_000), 'Ann'), said('y'.repeat(100_000), 'Bob'), said('z', 'Cleo'))
  expect(lastAuthor(long)).toBe('Cleo')
})

test('no author is named if the record names none, has no readable lines, or is elsewhere', () => {
  expect(lastAuthor(record(said('one'), said('author "author"')))).toBeUndefined()
  expect(lastAuthor(record('{"author"', '"author"', said('far', 7)))).toBeUndefined()
  expect(lastAuthor(temporaryFolder())).toBeUndefined()
  const other = record(said('one', 'Ann'))
  const linked = record()
  rmSync(join(linked, '.session'), { recursive: true })
  symlinkSync(join(other, '.session'), join(linked, '.session'))
  expect(lastAuthor(linked)).toBeUndefined()
})

test('a name from a record cannot move the terminal or pose as more than a name', () => {
  const folder = record(said('one', 'Ann\u001b[2J\nBob (admin)\u202e'))
  expect(lastAuthor(folder)).toBe('Ann Bob admin')
})
