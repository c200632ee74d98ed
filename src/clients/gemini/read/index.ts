import type { RawTranscript, Reading } from '../../contract/reading.ts'
import { answeredCalls, partsOf, textIn } from '../../shared/genai/parts.ts'
import { fieldsOf, listOf, textOf } from '../../shared/transcript/fields.ts'
import { bufferOf, type Line, splitLines } from '../../shared/transcript/lines.ts'
import { readTalk } from '../../shared/transcript/read-talk.ts'
import { oneObject } from './one-object.ts'
import { classifyUserRecord } from './rules.ts'
import { readStrands, readSubagents, splitFile } from './subagents.ts'
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

/**
 * The byte offset of the record that begins the running turn: the last prompt without a final answer after it, or the
 * end if there is no such prompt. Gemini CLI (0.61.0) writes a tool call only when the call has ended. So an answer
 * whose tool still runs looks final, and counts as final. If a hook has `noted` the offset where a turn begins, no
 * answer counts: the turn begins at the last prompt from that offset on. If no prompt follows, it begins at that
 * offset.
 */
export function turnStart(bytes: Uint8Array, noted?: number): number {
  if (noted !== undefined) return lastPrompt(splitLines(bytes, Math.min(noted, bytes.length))) ?? noted
  const lines = splitLines(bytes)
  const calling = new Set(lines.flatMap(idIfCalling))
  for (const line of lines.toReversed()) {
    if (line.content.kind !== 'record') continue
    const { record } = line.content
    const parts = partsOf(record.content)
    if (record.type === 'gemini' && textIn(parts) !== '' && !calling.has(textOf(record.id))) break
    if (isPrompt(line)) return line.start
  }
  return bytes.length
}

function lastPrompt(lines: readonly Line[]): number | undefined {
  return lines.findLast(isPrompt)?.start
}

function isPrompt({ content }: Line): boolean {
  if (content.kind !== 'record' || content.record.type !== 'user') return false
  const { record } = content
  return answeredCalls(partsOf(record.content)) === undefined && classifyUserRecord(record).kind === 'prompt'
}

function idIfCalling({ content }: Line): string[] {
  if (content.kind !== 'record' || listOf(content.record.toolCalls).length === 0) return []
  return [textOf(content.record.id)]
}
