import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { definedFields } from '../../shared/transcript/facts.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import { Before } from './before.ts'
import { readFacts } from './facts.ts'
import { Strands } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a Claude Code transcript into messages, facts, and a report on every byte. The format was observed on 2.1.38,
 * 2.1.39, 2.1.197 and 2.1.330. Never throws on content. Pure: it reads nothing but what it is given.
 *
 * A segment is read by itself. The lines before it are used only to find:
 * - line numbers and the parents of records
 * - the tools that the model has
 * - how this version records queued prompts
 * - the target of a rewind
 * - the start of an answer that continues in the segment: all parts of an answer have one id
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const lines = splitLines(raw.bytes, from, raw.to, raw.firstLine)
  const blobs = new Map<string, Uint8Array>()
  const before = new Before(raw.bytes, from)
  const context = {
    nativeSession: raw.nativeId,
    blobs,
    side: (path: string) => raw.readSideFile(path),
    ended: false,
  }
  const strands = new Strands(raw)
  /** Reads lines as if no lines came before them. Their bytes are not counted in the report. */
  const readSeparately = (part: Line[], subagent: 'self' | (() => 'derived')): TranscriptReader => {
    const nothing = new Before(new Uint8Array(), 0)
    const own = new TranscriptReader({
      ...context,
      before: nothing,
      earlier: () => own,
      subagent,
    })
    own.read(part)
    return own
  }
  let earlier: TranscriptReader | undefined
  const reader = new TranscriptReader({
    ...context,
    ended: raw.ended === true,
    before,
    earlier: () => {
      earlier ??= readSeparately(splitLines(raw.bytes, 0, from), () => 'derived')
      return earlier
    },
    subagent: (line, record) => strands.add(line, record),
  })
  reader.read(lines)
  const subagents = strands.read(reader, from === 0, (strand) => readSeparately(strand, 'self'))
  const { model, settled, messages } = reader
  return {
    messages,
    subagents,
    blobs,
    facts: { ...readFacts(before, lines), ...definedFields({ model }), settled },
    report: reader.report,
  }
}

/** Whether a prompt leaves the client's queue in these bytes, and may have entered it before them. */
export function refersBack(bytes: Uint8Array): boolean {
  let waiting = 0
  return new Before(bytes, bytes.length).linesWith('"queue-operation"').some(({ operation }) => {
    if (operation === 'enqueue') waiting += 1
    else if (operation === 'dequeue') waiting -= 1
    return operation === 'remove' || waiting < 0
  })
}
