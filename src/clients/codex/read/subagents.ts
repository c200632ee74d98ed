import type { Message } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { fieldsOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import { itemsWithoutEvent } from './items-without-event.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * The messages of each subagent, by the call that started the subagent. Each subagent has a rollout of its own. If that
 * rollout begins with the talk of the parent, its first line names an ordinal, and the lines before that ordinal are
 * copies.
 */
export function readSubagents(
  raw: RawTranscript,
  agents: ReadonlyMap<string, string>,
  blobs: Map<string, Uint8Array>,
): Record<string, Message[]> {
  const found = [...agents].flatMap(([thread, call]): [string, Message[]][] => {
    const path = raw.sideFiles.find((side) => side.endsWith(`${thread}.jsonl`))
    const bytes = path === undefined ? undefined : raw.readSideFile(path)
    if (bytes === undefined) return []
    const reader = new TranscriptReader(thread, blobs)
    const lines = ownLines(splitLines(bytes))
    reader.read(lines, itemsWithoutEvent(lines))
    return [[call, reader.talk.messages]]
  })
  return Object.fromEntries(found)
}

function ownLines(lines: readonly Line[]): Line[] {
  const [first] = lines
  const meta = first?.content.kind === 'record' ? fieldsOf(first.content.record.payload) : {}
  const from = meta.subagent_history_start_ordinal
  if (typeof from !== 'number') return [...lines]
  const begin = lines.findIndex(
    ({ content }) => content.kind === 'record' && Number(content.record.ordinal) >= from,
  )
  return begin === -1 ? [] : lines.slice(begin)
}
