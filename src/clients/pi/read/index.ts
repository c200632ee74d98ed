import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { definedFields, mcpToolsIn, rangeOf } from '../../shared/transcript/facts.ts'
import { splitLines } from '../../shared/transcript/lines.ts'
import { followsElsewhere } from '../../shared/transcript/places.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a session of Pi into messages, facts, and a report on every byte. The format was observed on 0.73.1 and 1.5.2.
 * Never throws on content. Pure: it reads nothing but what it is given.
 *
 * Lines before the segment are read too, because an entry of the segment may follow any of them.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const blobs = new Map<string, Uint8Array>()
  const reader = new TranscriptReader(raw.nativeId, blobs)
  const { writer } = reader
  reader.read(splitLines(raw.bytes, 0, from))
  writer.beginSegment()
  blobs.clear()
  reader.read(splitLines(raw.bytes, from, raw.to, raw.firstLine))
  const messages = writer.segmentMessages()
  const { model, title, cwd, settled } = reader
  return {
    messages,
    subagents: {},
    blobs,
    facts: {
      calledToolsOnly: true,
      mcpTools: mcpToolsIn(messages),
      ...definedFields({
        ...rangeOf(messages),
        model,
        title,
        titleGiven: title === undefined ? undefined : (true as const),
        cwd,
      }),
      settled,
    },
    report: writer.ledger.report(),
  }
}

/** Whether an entry, apart from the first one, follows an entry that is not in these bytes. */
export function refersBack(bytes: Uint8Array): boolean {
  return followsElsewhere(bytes, 'id', 'parentId')
}
