import type { RawTranscript, Reading } from '../../../src/clients/contract/reading.ts'
import type { Bucket } from '../../../src/clients/shared/transcript/byte-ledger.ts'
import { type Fields, isoTime, textOf } from '../../../src/clients/shared/transcript/fields.ts'
import { type Line, splitLines } from '../../../src/clients/shared/transcript/lines.ts'
import { TranscriptWriter } from '../../../src/clients/shared/transcript/transcript-writer.ts'
import { sha256 } from '../../../src/hash.ts'
import { SEED } from './launch.ts'

export function read({ nativeId, bytes, from = 0, to }: RawTranscript): Reading {
  const writer = new TranscriptWriter('tiny', nativeId)
  for (const line of splitLines(bytes, 0, from)) enter(writer, line)
  writer.beginSegment()
  for (const line of splitLines(bytes, from, to)) enter(writer, line)
  const messages = writer.segmentMessages()
  return {
    messages,
    subagents: {},
    blobs: new Map(),
    facts: { mcpTools: [], settled: messages.at(-1)?.role === 'assistant' },
    report: writer.ledger.report(),
  }
}

function enter(writer: TranscriptWriter, line: Line): void {
  writer.enter(
    line,
    (record) => readRecord(writer, line, record),
    (value) => keepUnknown(writer, line, value),
  )
}

function readRecord(writer: TranscriptWriter, line: Line, record: Fields): Bucket {
  const { role, content, time } = record
  const id = textOf(record.id)
  if (id.startsWith(SEED)) return { dropped: 'resume-context' }
  if ((role !== 'user' && role !== 'assistant') || id === '' || typeof content !== 'string')
    return keepUnknown(writer, line, record)
  if (writer.messages.some((message) => message.native_id === id)) return 'derived'
  writer.time = isoTime(time)
  writer.add(line, id, role, content)
  return 'kept'
}

function keepUnknown(writer: TranscriptWriter, line: Line, raw: unknown): Bucket {
  writer.addEvent(line, sha256(line.bytes), 'unknown').raw = raw
  return { unknown: 'record' }
}
