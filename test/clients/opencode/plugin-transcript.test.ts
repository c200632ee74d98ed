import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Entry, openTranscript } from '../../../src/clients/opencode/plugin/transcript.ts'

const entry = (id: string): Entry => ({
  type: 'message',
  id,
  info: { sessionID: 's' },
  parts: [{ text: id }],
})

test('what could not be written is written the next time, after a line that was cut', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-plugin-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'made/t.jsonl')
  const transcript = openTranscript(path)
  // Nothing can be made here, as on a full disk.
  writeFileSync(join(folder, 'made'), '')
  expect(() => transcript.append([entry('m1')], { session: 's' })).toThrow()
  rmSync(join(folder, 'made'))
  transcript.append([entry('m1'), entry('m2')], { session: 's' })
  appendFileSync(path, '{"type":"message","id":"m3","info"')
  transcript.append([entry('m1'), entry('m2'), entry('m3')], { session: 's' })
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => line.slice(0, 27))).toEqual([
    '{"type":"message","id":"m1"',
    '{"type":"message","id":"m2"',
    '{"type":"message","id":"m3"',
    '{"type":"message","id":"m3"',
  ])
  expect(JSON.parse(lines[3]!)).toEqual(entry('m3'))
})

test('a transcript that was deleted is written again, whole, and the recording does not end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-plugin-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 't.jsonl')
  const transcript = openTranscript(path)
  expect(transcript.exists()).toBe(false)
  transcript.append([entry('m1')], { session: 's' })
  expect(transcript.exists()).toBe(true)
  rmSync(path)
  expect(transcript.exists()).toBe(true)
  transcript.append([entry('m1'), entry('m2')], { session: 's' })
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([entry('m1'), entry('m2')])
})
