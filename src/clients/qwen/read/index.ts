import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { definedFields, mcpToolsIn, rangeOf } from '../../shared/transcript/facts.ts'
import { splitLines } from '../../shared/transcript/lines.ts'
import { followsElsewhere } from '../../shared/transcript/places.ts'
import { readSubagents } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a session of Qwen Code into messages, facts, and a report on every byte. The format was observed on 0.24.4. Never
 * throws on content. Pure: it reads nothing but what it is given.
 *
 * Lines before the segment are read too, because a record of the segment may follow any of them.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const blobs = new Map<string, Uint8Array>()
  const reader = new TranscriptReader(raw.nativeId, blobs)
  const { writer } = reader
  reader.read(splitLines(raw.bytes, 0, from))
  writer.beginSegment()
  blobs.clear()
  reader.calls.clear()
  reader.read(splitLines(raw.bytes, from, raw.to, raw.firstLine))
  const messages = writer.segmentMessages()
  const { model, title, titleGiven, cwd, clientVersion, settled } = reader
  return {
    messages,
    subagents: readSubagents(raw, reader.calls, blobs),
    blobs,
    facts: {
      calledToolsOnly: true,
      mcpTools: mcpToolsIn(messages),
      ...definedFields({
        ...rangeOf(messages),
        model,
        title,
        titleGiven: title !== undefined && titleGiven ? (true as const) : undefined,
        cwd,
        clientVersion,
      }),
      settled,
    },
    report: writer.ledger.report(),
  }
}

/** Whether a record, apart from the first one, follows a record that is not in these bytes. */
export function refersBack(bytes: Uint8Array): boolean {
  return followsElsewhere(bytes, 'uuid', 'parentUuid')
}
