import { readFileSync } from 'node:fs'
import { claude } from '../../../src/clients/claude/index.ts'
import type { RawTranscript, Reading } from '../../../src/clients/contract/reading.ts'

export { accounted } from '../readings.ts'

/** Real transcripts of 2.1.197 and 2.1.330, long strings of the latter cut. */
export const SAMPLES = [
  'headless-main-1111',
  'headless-2.1.330',
  'sessionstart-hook-context',
  'slash-permission-denied',
  'tui-before-rewind',
] as const

export function sample(name: string): Uint8Array {
  return readFileSync(new URL(`../../fixtures/claude/${name}.jsonl`, import.meta.url))
}

/** What the tests look at in a record. */
export interface TranscriptRecord {
  type: string
  uuid: string
  parentUuid: string | null
  isMeta?: boolean
  isCompactSummary?: boolean
  message?: { model?: string; content: string | { type: string; text: string }[] }
  [key: string]: unknown
}

export function recordsOf(bytes: Uint8Array): TranscriptRecord[] {
  return Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

export function bytesOf(records: readonly object[]): Uint8Array {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

export function read(
  transcript: Uint8Array | readonly object[],
  more: Partial<RawTranscript> & { files?: Record<string, string> } = {},
): Reading {
  const { files = {}, ...raw } = more
  return claude.reading.read({
    nativeId: 'native',
    bytes: transcript instanceof Uint8Array ? transcript : bytesOf(transcript),
    sideFiles: Object.keys(files),
    readSideFile: (path) => (Object.hasOwn(files, path) ? Buffer.from(files[path]!) : undefined),
    ...raw,
  })
}

/** What was said, as short lines: `user: text`. */
export function script(reading: Pick<Reading, 'messages'>): string[] {
  return reading.messages.map((message) => {
    const name = message.event ?? (message.tool_name ? `${message.role} ${message.tool_name}` : message.role)
    return `${name}: ${typeof message.content === 'string' ? message.content : JSON.stringify(message.content)}`
  })
}

let clock = 0

/** A record as 2.1.197 writes it, hanging on `parent`. */
export function record<Fields extends object>(uuid: string, parent: string | null, fields: Fields) {
  clock++
  return {
    parentUuid: parent,
    isSidechain: false,
    uuid,
    timestamp: new Date(Date.UTC(2026, 0, 1) + clock * 1000).toISOString(),
    cwd: '/p',
    sessionId: 'native',
    version: '2.1.197',
    ...fields,
  }
}

export function user(uuid: string, parent: string | null, content: unknown, fields: object = {}) {
  return record(uuid, parent, { type: 'user', message: { role: 'user', content }, ...fields })
}

export function answer(
  uuid: string,
  parent: string | null,
  apiId: string,
  block: object,
  fields: object = {},
) {
  const { stop_reason = 'end_turn', ...rest } = fields as { stop_reason?: string | null }
  const message = { id: apiId, role: 'assistant', model: 'claude-x', content: [block], stop_reason }
  return record(uuid, parent, { type: 'assistant', message, ...rest })
}

export const text = (value: string) => ({ type: 'text', text: value })
export const call = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input })
export const result = (id: string, content: unknown, fields: object = {}) => [
  { type: 'tool_result', tool_use_id: id, content, ...fields },
]
