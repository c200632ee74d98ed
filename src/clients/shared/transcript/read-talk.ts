import { sha256 } from '../../../hash.ts'
import type { RawTranscript, Reading, ReadingFacts } from '../../contract/reading.ts'
import type { Bucket } from './byte-ledger.ts'
import { definedFields, mcpToolsIn, rangeOf } from './facts.ts'
import type { Fields } from './fields.ts'
import { type Line, splitLines } from './lines.ts'
import type { TranscriptWriter } from './transcript-writer.ts'

/** Makes messages of the records of a session, one record after another. */
export interface Talk {
  readonly writer: TranscriptWriter
  readonly blobs: Map<string, Uint8Array>
  /** The talks of subagents, by the calls that started them. */
  subagents?(): (readonly [call: string, writer: TranscriptWriter])[]
  /**
   * Reads a record, and says where its bytes belong. `id` is for records without an id of their own: a hash of the
   * record. A record that is `unknown` is kept raw by the caller.
   */
  readRecord(line: Line, record: Fields, id: string): Bucket
  /** Reads the end of a session that nobody continues. */
  end?(): void
  facts(): { settled: boolean } & { [name in 'model' | 'title' | 'cwd']?: string | undefined }
}

/**
 * Reads a transcript whose every line may depend on all lines before it. A record that is written twice is read once.
 * Never throws on content. Pure.
 */
export function readTalk(raw: RawTranscript, talk: Talk): Reading {
  const from = raw.from ?? 0
  const { writer, blobs } = talk
  const seen = new Set<string>()
  readLines(talk, splitLines(raw.bytes, 0, from), seen)
  blobs.clear()
  writer.beginSegment()
  for (const [, one] of talk.subagents?.() ?? []) one.beginSegment()
  readLines(talk, splitLines(raw.bytes, from, raw.to, raw.firstLine), seen)
  if (raw.ended === true) talk.end?.()
  const messages = writer.segmentMessages()
  const { settled, ...known } = talk.facts()
  const facts: ReadingFacts = {
    calledToolsOnly: true,
    mcpTools: mcpToolsIn(messages),
    ...definedFields({ ...rangeOf(messages), ...known }),
    settled,
  }
  const told = (talk.subagents?.() ?? []).map(([call, one]) => [call, one.segmentMessages()] as const)
  return {
    messages,
    subagents: Object.fromEntries(told.filter(([, said]) => said.length > 0)),
    ...{ blobs, facts, report: writer.ledger.report() },
  }
}

function readLines(talk: Talk, lines: readonly Line[], seen: Set<string>): void {
  const keep = (line: Line, id: string, raw: unknown, kind: string): Bucket => {
    talk.writer.addEvent(line, id, 'unknown').raw = raw
    return { unknown: kind }
  }
  for (const line of lines)
    talk.writer.enter(
      line,
      (record) => {
        const id = idOf(record)
        if (seen.has(id)) return 'derived'
        seen.add(id)
        const bucket = talk.readRecord(line, record, id)
        const isUnknown = typeof bucket === 'object' && 'unknown' in bucket
        return isUnknown ? keep(line, id, record, bucket.unknown) : bucket
      },
      (value, kind) => keep(line, idOf(value), value, kind),
    )
}

function idOf(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 32)
}
