import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { definedFields, mcpToolsIn, rangeOf } from '../../shared/transcript/facts.ts'
import { fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, type Line, splitLines } from '../../shared/transcript/lines.ts'
import { oneObject } from './one-object.ts'
import { readStrands, splitFile } from './shared-file.ts'
import { readSubagents } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Reads a Gemini CLI session file into messages, facts, and a report on every byte. The format was observed on 0.61.0.
 * Never throws on content. Pure: it reads nothing but what it is given.
 *
 * Lines before the segment are read too, because records of the segment can replace or cut the list of all messages.
 * From those lines the result has only the messages that the segment adds to, and the rewinds just before the segment.
 */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const { lines: old, strands } = splitFile(oneObject(raw.bytes.subarray(0, raw.to)))
  const before = old === undefined ? splitLines(raw.bytes, 0, from) : from > 0 ? old : []
  const lines = old === undefined ? splitLines(raw.bytes, from, raw.to, raw.firstLine) : from > 0 ? [] : old
  const blobs = new Map<string, Uint8Array>()
  const reader = new TranscriptReader(raw.nativeId, blobs, (name) => raw.readSideFile(`outputs/${name}`))
  const { writer } = reader
  reader.read(before)
  writer.beginSegment()
  reader.agents.clear()
  reader.read(lines)
  const messages = writer.segmentMessages()
  const { model, settled } = reader
  const title = lines.map(titleIn).findLast((text) => text !== '')
  return {
    messages,
    subagents: {
      ...readSubagents(raw, reader.agents, blobs),
      ...(from === 0 && readStrands(raw, strands, messages, blobs)),
    },
    blobs,
    facts: {
      mcpTools: mcpToolsIn(messages),
      ...definedFields({ ...rangeOf(messages), title, model }),
      settled,
    },
    report: writer.ledger.report(),
  }
}

/**
 * Whether the client writes its list of messages again in these bytes. Only a reader that knows the earlier list can
 * tell which messages are new.
 */
export function refersBack(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes('"messages":[')
}

/** The client asks the model for a title at its next start, and then adds the title to the file. */
function titleIn({ content }: Line): string {
  if (content.kind !== 'record') return ''
  return textOf(fieldsOf(content.record.$set).summary) || textOf(content.record.summary)
}
