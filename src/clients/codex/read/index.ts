import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, type Line, splitLines } from '../../shared/transcript/lines.ts'
import { readTalk } from '../../shared/transcript/read-talk.ts'
import { itemsWithoutEvent } from './items-without-event.ts'
import { readReviews, readSubagents } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a thread of Codex CLI. The bytes are the thread's rollout files, one after the other (../rollouts.ts). The format
 * was observed on 0.169.0.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const before = splitLines(raw.bytes, 0, raw.from ?? 0)
  const lines = splitLines(raw.bytes, raw.from, raw.to, raw.firstLine)
  const withoutEvent = itemsWithoutEvent([...before, ...lines], raw.firstLine !== undefined)
  const blobs = new Map<string, Uint8Array>()
  const reader = new TranscriptReader(raw.nativeId, blobs, withoutEvent)
  const { writer, calls, answers, lineage } = reader
  const talk = {
    ...{ writer, blobs },
    read: (some: readonly Line[]) => reader.read(some),
    beginSegment() {
      lineage.missing.length = 0
      calls.agents.clear()
    },
    subagents: () => ({ ...readSubagents(raw, calls.agents, blobs), ...readReviews(raw, lines, blobs) }),
    facts() {
      const { title, cwd, clientVersion } = reader
      return { settled: answers.settled, model: answers.model, title, cwd, clientVersion }
    },
  }
  const reading = readTalk(raw, talk, [before, lines])
  const { missing } = lineage
  return missing.length === 0 ? reading : { ...reading, report: { ...reading.report, missing } }
}

/**
 * Whether these bytes continue another rollout (`history_base`) or roll turns back (`thread_rolled_back`). Such bytes
 * cannot be read without the bytes before them.
 */
export function refersBack(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes('"history_base"') || bufferOf(bytes).includes('"thread_rolled_back"')
}

/**
 * The byte offset of the line that begins the running turn, or the end of the bytes if no turn runs. Codex writes a
 * line where a turn begins, and another line where the turn ends (0.169.0).
 */
export function turnStart(bytes: Uint8Array): number {
  let running: number | undefined
  for (const { content, start } of splitLines(bytes)) {
    if (content.kind !== 'record') continue
    const { record } = content
    // A new file begins here. If a rewind made it, the running turn has ended without an event.
    if (record.type === 'session_meta') running = undefined
    if (record.type !== 'event_msg') continue
    const type = textOf(fieldsOf(record.payload).type)
    if (type === 'task_started' || type === 'turn_started') running = start
    if (/^(?:task_complete|turn_complete|turn_aborted)$/.test(type)) running = undefined
  }
  return running ?? bytes.length
}
