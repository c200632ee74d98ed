import { sha256 } from '../../../hash.ts'
import type { Message } from '../../../session/schema.ts'
import type { RawTranscript, Reading, ReadingFacts } from '../../contract/reading.ts'
import type { Bucket } from './byte-ledger.ts'
import type { Fields } from './fields.ts'
import { type Line, splitLines } from './lines.ts'
import type { TranscriptWriter } from './transcript-writer.ts'

/** Makes messages of the records of a session, one record after another. */
export interface TalkReader {
  readonly writer: TranscriptWriter
  /** The bytes of attachments by their sha256. */
  readonly blobs: Map<string, Uint8Array>
  read(lines: readonly Line[]): void
  /** Forgets what was read so far of things that the result has only from the segment. */
  beginSegment?(): void
  /** Reads the end of a session that nobody continues. */
  end?(): void
  /** The talks of the subagents of the segment, by the calls that started them. Absent: there are none. */
  subagents?(messages: readonly Message[]): Record<string, Message[]>
  /** What is not known is undefined. */
  facts(): { settled: boolean } & { [name in keyof ReadingFacts]?: ReadingFacts[name] | undefined }
}

/**
 * Reads a transcript whose every line may depend on all lines before it. So the lines before the segment are read too. Of
 * their messages, the result has only those that the segment adds to, and the rewinds just before the segment. Never throws
 * on content. Pure.
 */
export function readTalk(
  raw: RawTranscript,
  reader: TalkReader,
  [before, lines]: readonly Line[][] = [
    splitLines(raw.bytes, 0, raw.from ?? 0),
    splitLines(raw.bytes, raw.from, raw.to, raw.firstLine),
  ],
): Reading {
  const { writer, blobs } = reader
  reader.read(before!)
  writer.beginSegment(raw.countFrom)
  reader.beginSegment?.()
  reader.read(lines!)
  if (raw.ended === true) reader.end?.()
  const messages = writer.segmentMessages()
  const told = Object.entries(reader.subagents?.(messages) ?? {}).filter(([, said]) => said.length > 0)
  const named = [messages, ...told.map(([, said]) => said)]
    .flat()
    .flatMap(({ attachments = [] }) => attachments)
  const { settled, ...known } = reader.facts()
  return {
    messages,
    subagents: Object.fromEntries(told),
    blobs: new Map(named.flatMap(({ sha256: name }) => (blobs.has(name) ? [[name, blobs.get(name)!]] : []))),
    facts: {
      mcpTools: mcpToolsIn(messages),
      ...definedFields({ calledToolsOnly: true as const, ...rangeOf(messages), ...known }),
      settled,
    },
    report: writer.ledger.report(),
  }
}

/**
 * Returns a function that reads records without ids of their own. `id` is a hash of the record: one that is written twice is
 * read once. A record that is `unknown` is kept raw.
 */
export function readOnce(
  writer: TranscriptWriter,
  readRecord: (line: Line, record: Fields, id: string) => Bucket,
): (lines: readonly Line[]) => void {
  const seen = new Set<string>()
  const idOf = (value: unknown) => sha256(JSON.stringify(value)).slice(0, 32)
  const readOne = (line: Line, record: Fields) => {
    const id = idOf(record)
    if (seen.has(id)) return 'derived'
    seen.add(id)
    const bucket = readRecord(line, record, id)
    const isUnknown = typeof bucket === 'object' && 'unknown' in bucket
    return isUnknown ? writer.keepUnknown(line, record, bucket.unknown, id) : bucket
  }
  return (lines) => writer.read(lines, readOne, idOf)
}

/** The MCP tools that were called, sorted. */
export function mcpToolsIn(messages: readonly Message[]): string[] {
  const names = messages.flatMap((message) => message.tool_calls ?? []).map(({ name }) => name)
  return [...new Set(names.filter((name) => name.startsWith('mcp__')))].sort()
}

/** The native ids of the first and the last message, events left out. */
function rangeOf(messages: readonly Message[]): { from: string | undefined; to: string | undefined } {
  const messagesOnly = messages.filter(({ event }) => event === undefined)
  return { from: messagesOnly[0]?.native_id, to: messagesOnly.at(-1)?.native_id }
}

/** Omits the fields that are undefined. */
export function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

const MAX_TITLE_LENGTH = 120

/** The first line of a text, cut to the length of a title in a list. */
export function titleLine(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? ''
  const letters = [...line]
  return letters.length > MAX_TITLE_LENGTH ? `${letters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…` : line
}
