import type { Message } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { fieldsOf } from '../../shared/transcript/fields.ts'
import { type Line, splitLines } from '../../shared/transcript/lines.ts'
import { itemsWithoutEvent } from './items-without-event.ts'
import { TranscriptReader } from './transcript-reader.ts'

/**
 * Messages of subagents, by the call that started them. Each subagent has a rollout of its own. If the rollout begins
 * with a copy of the parent's talk, its first line names the ordinal at which the subagent's own lines begin.
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
    const lines = ownLines(splitLines(bytes))
    const reader = new TranscriptReader(thread, blobs, itemsWithoutEvent(lines))
    reader.read(lines)
    return [[call, reader.writer.messages]]
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
