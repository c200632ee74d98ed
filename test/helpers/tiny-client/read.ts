import type { RawTranscript, Reading } from '../../../src/clients/contract/reading.ts'
import { type Bucket, ByteLedger } from '../../../src/clients/shared/transcript/byte-ledger.ts'
import { textOf } from '../../../src/clients/shared/transcript/fields.ts'
import { type Line, splitLines } from '../../../src/clients/shared/transcript/lines.ts'
import { sha256 } from '../../../src/crypto.ts'
import type { Message } from '../../../src/session/schema.ts'
import { SEED } from './launch.ts'

export function read({ nativeId, bytes, from = 0, to }: RawTranscript): Reading {
  const ledger = new ByteLedger()
  const reader = new TranscriptReader(nativeId)
  for (const line of splitLines(bytes, 0, from)) reader.take(line)
  const before = reader.messages.length
  for (const line of splitLines(bytes, from, to)) ledger.enter(line, reader.take(line))
  const messages = reader.messages.slice(before)
  const settled = messages.at(-1)?.role === 'assistant'
  return {
    messages,
    subagents: {},
    blobs: new Map(),
    facts: { mcpTools: [], settled },
    report: ledger.report(),
  }
}

class TranscriptReader {
  readonly messages: Message[] = []
  readonly #known = new Set<string>()
  readonly #session: string

  constructor(session: string) {
    this.#session = session
  }

  take(line: Line): Bucket {
    const { content } = line
    if (content.kind === 'unreadable') return 'unreadable'
    if (content.kind === 'blank') return { dropped: 'blank-line' }
    if (content.kind === 'value') return this.#unknown(line, content.value)
    const { role, content: said, ...record } = content.record
    const id = textOf(record.id)
    if (id.startsWith(SEED)) return { dropped: 'resume-context' }
    if ((role !== 'user' && role !== 'assistant') || id === '' || typeof said !== 'string')
      return this.#unknown(line, content.record)
    return this.#add(line, {
      id: idOf(id),
      role,
      content: said,
      timestamp: timeOf(record.time),
      native_id: id,
    })
  }

  #unknown(line: Line, raw: unknown): Bucket {
    const id = idOf(sha256(line.bytes))
    const event = {
      id,
      role: 'system' as const,
      content: '',
      timestamp: timeOf(undefined),
      event: 'unknown',
      raw,
    }
    return this.#add(line, event) === 'derived' ? 'derived' : { unknown: 'record' }
  }

  #add(line: Line, message: Message): 'kept' | 'derived' {
    if (this.#known.has(message.id)) return 'derived'
    this.#known.add(message.id)
    this.messages.push({ ...message, client: 'tiny', native_session: this.#session, seq: line.seq })
    return 'kept'
  }
}

function idOf(nativeId: string): string {
  return sha256(`tiny\0${nativeId}`).slice(0, 32)
}

function timeOf(value: unknown): string {
  const time = new Date(textOf(value))
  return Number.isNaN(time.getTime()) ? '1970-01-01T00:00:00.000Z' : time.toISOString()
}
