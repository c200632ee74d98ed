import { readFileSync } from 'node:fs'
import type { RawTranscript, Reading } from '../../../src/clients/contract/reading.ts'
import { readTranscript } from '../../../src/clients/gemini/read/index.ts'

export { accounted } from '../readings.ts'

/** Real session files of 0.61.0. */
export const SAMPLES = [
  'headless-resumed',
  'hook-contexts',
  'subagent-parent',
  'tui-rewound-resumed',
  'tui-seeded-compressed',
] as const

export function sample(name: string): Uint8Array {
  return readFileSync(new URL(`../../fixtures/gemini/${name}.jsonl`, import.meta.url))
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into.
export function recordsOf(bytes: Uint8Array): any[] {
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
  more: Partial<RawTranscript> & { files?: Record<string, Uint8Array> } = {},
): Reading {
  const { files = {}, ...raw } = more
  return readTranscript({
    nativeId: 'native',
    bytes: transcript instanceof Uint8Array ? transcript : bytesOf(transcript),
    sideFiles: Object.keys(files),
    readSideFile: (path) => files[path],
    ...raw,
  })
}

/** `role: text`, events as `event:`, a line each. */
export function script({ messages }: Pick<Reading, 'messages'>): string[] {
  return messages.map(({ event, role, content }) => `${event ?? role}: ${textOf(content)}`)
}

function textOf(content: Reading['messages'][number]['content']): string {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? `[${part.type}]`).join('')
}
