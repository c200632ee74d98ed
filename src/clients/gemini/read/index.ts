import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { fieldsOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, type Line } from '../../shared/transcript/lines.ts'
import { readTalk } from '../../shared/transcript/read-talk.ts'
import { oneObject } from './one-object.ts'
import { readStrands, splitFile } from './shared-file.ts'
import { readSubagents } from './subagents.ts'
import { TranscriptReader } from './transcript-reader.ts'

/** Reads a Gemini CLI session file. The format was observed on 0.61.0. */
export function readTranscript(raw: RawTranscript): Reading {
  const from = raw.from ?? 0
  const { lines: old, strands } = splitFile(oneObject(raw.bytes.subarray(0, raw.to)))
  const parts = old === undefined ? undefined : from > 0 ? [old, []] : [[], old]
  const blobs = new Map<string, Uint8Array>()
  const reader = new TranscriptReader(raw.nativeId, blobs, (name) => raw.readSideFile(`outputs/${name}`))
  let title: string | undefined
  return readTalk(
    raw,
    {
      ...{ writer: reader.writer, blobs },
      read(lines) {
        reader.read(lines)
        title = lines.map(titleIn).findLast((text) => text !== '')
      },
      beginSegment: () => reader.agents.clear(),
      subagents: (messages) => ({
        ...readSubagents(raw, reader.agents, blobs),
        ...(from === 0 && readStrands(raw, strands, messages, blobs)),
      }),
      facts: () => ({
        // A handoff from Gemini CLI says nothing of tools that were there and not called.
        calledToolsOnly: undefined,
        ...{ settled: reader.settled, model: reader.model, title },
      }),
    },
    parts,
  )
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
