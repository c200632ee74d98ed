import type { RawTranscript, Reading } from '../../../src/clients/contract/reading.ts'
import type { Bucket } from '../../../src/clients/shared/transcript/byte-ledger.ts'
import { type Fields, isoTime, textOf } from '../../../src/clients/shared/transcript/fields.ts'
import type { Line } from '../../../src/clients/shared/transcript/lines.ts'
import { readTalk } from '../../../src/clients/shared/transcript/read-talk.ts'
import { TranscriptWriter } from '../../../src/clients/shared/transcript/transcript-writer.ts'
import { SEED } from './launch.ts'

export function read(raw: RawTranscript): Reading {
  const writer = new TranscriptWriter('tiny', raw.nativeId)
  return readTalk(raw, {
    ...{ writer, blobs: new Map() },
    read: (lines) => writer.read(lines, (line, record) => readRecord(writer, line, record)),
    facts: () => ({ settled: writer.messages.at(-1)?.role === 'assistant' }),
  })
}

function readRecord(writer: TranscriptWriter, line: Line, record: Fields): Bucket {
  const { role, content, time } = record
  const id = textOf(record.id)
  if (id.startsWith(SEED)) return { dropped: 'resume-context' }
  if ((role !== 'user' && role !== 'assistant') || id === '' || typeof content !== 'string')
    return writer.keepUnknown(line, record, 'record')
  if (writer.messages.some((message) => message.native_id === id)) return 'derived'
  writer.time = isoTime(time)
  writer.add(line, id, role, content)
  return 'kept'
}
