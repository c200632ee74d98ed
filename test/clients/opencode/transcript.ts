import { readFileSync } from 'node:fs'
import type { RawTranscript, Reading } from '../../../src/clients/contract/reading.ts'
import { readTranscript } from '../../../src/clients/opencode/read/index.ts'

/** Transcripts of real sessions of 1.18.33. */
export const SAMPLES = ['headless-1.18.33'] as const

export function sample(name: string): Uint8Array {
  return readFileSync(new URL(`../../fixtures/opencode/${name}.jsonl`, import.meta.url))
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into, and compare with.
type Fields = Record<string, any>

export function recordsOf(bytes: Uint8Array): Fields[] {
  return Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

export function bytesOf(records: readonly object[]): Uint8Array {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

/** Reads a transcript; the session that it is about is the first record's. */
export function read(transcript: Uint8Array | readonly object[], more: Partial<RawTranscript> = {}): Reading {
  const bytes = transcript instanceof Uint8Array ? transcript : bytesOf(transcript)
  const first = Buffer.from(bytes)
    .toString('utf8')
    .match(/^\ufeff?\{"type":"session","id":"([^"]*)"/)
  return readTranscript({
    nativeId: first?.[1] ?? SESSION,
    bytes,
    sideFiles: [],
    readSideFile: () => undefined,
    ...more,
  })
}

export const SESSION = 'ses_root'

let clock = Date.UTC(2026, 0, 1)

export const session = (info: object = {}, mcp: string[] = []) => ({
  type: 'session',
  id: SESSION,
  info: { id: SESSION, title: 'A title', directory: '/p', version: '1.18.33', ...info },
  mcp,
})

export function message(id: string, role: string, parts: object[], info: object = {}) {
  clock += 1000
  return {
    type: 'message',
    id,
    info: { id, sessionID: SESSION, role, time: { created: clock }, ...info },
    parts: parts.map((part, index) => ({ id: `prt_${id}_${index}`, ...part })),
  }
}

export const user = (id: string, parts: string | object[], info: object = {}) =>
  message(id, 'user', typeof parts === 'string' ? [text(parts)] : parts, info)

export const answer = (id: string, parts: string | object[], info: object = {}) =>
  message(id, 'assistant', typeof parts === 'string' ? [text(parts)] : parts, {
    providerID: 'fake',
    modelID: 'scripted',
    finish: 'stop',
    ...info,
  })

export const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })

export const tool = (callID: string, name: string, state: object) => ({
  type: 'tool',
  callID,
  tool: name,
  state,
})

export const done = (input: object, output: string, more: object = {}) => ({
  status: 'completed',
  input,
  output,
  metadata: {},
  ...more,
})
