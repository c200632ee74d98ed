import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { definedFields, mcpToolsIn, rangeOf } from '../../shared/transcript/facts.ts'
import { bufferOf, splitLines } from '../../shared/transcript/lines.ts'
import { itemsWithoutEvent } from './items-without-event.ts'
import { readReviews } from './reviews.ts'
import { readSubagents } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a thread of Codex CLI into messages, facts, and a report on every byte. The bytes are the thread's rollout
 * files, one after the other (../rollouts.ts). The format was observed on 0.169.0. Never throws on content. Pure: it
 * reads nothing but what it is given.
 *
 * Lines before the segment are read too, because a rewind may go back to them. Of their messages, the result has only
 * those that the segment adds to, and the rewinds just before the segment.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const blobs = new Map<string, Uint8Array>()
  const reader = new TranscriptReader(raw.nativeId, blobs)
  const { talk, calls } = reader
  const before = splitLines(raw.bytes, 0, from)
  const lines = splitLines(raw.bytes, from, raw.to, raw.firstLine)
  const withoutEvent = itemsWithoutEvent([...before, ...lines], raw.firstLine !== undefined)
  reader.read(before, withoutEvent)
  talk.beginSegment()
  reader.lineage.missing.length = 0
  calls.agents.clear()
  reader.read(lines, withoutEvent)
  const messages = talk.segmentMessages()
  const { title, cwd, clientVersion } = reader
  const { model, settled } = reader.answers
  const { missing } = reader.lineage
  return {
    messages,
    subagents: { ...readSubagents(raw, calls.agents, blobs), ...readReviews(raw, lines, blobs) },
    blobs,
    facts: {
      mcpTools: mcpToolsIn(messages),
      calledToolsOnly: true,
      ...definedFields({ ...rangeOf(messages), model, title, cwd, clientVersion }),
      settled,
    },
    report: { ...talk.ledger.report(), ...(missing.length === 0 ? {} : { missing }) },
  }
}

/**
 * Whether these bytes continue another rollout (`history_base`) or roll turns back (`thread_rolled_back`). Such bytes
 * cannot be read without the bytes before them.
 */
export function refersBack(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes('"history_base"') || bufferOf(bytes).includes('"thread_rolled_back"')
}
