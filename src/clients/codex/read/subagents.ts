import type { Message } from '../../../session/schema.ts'
import type { RawTranscript } from '../../contract/reading.ts'
import { fieldsOf, textOf } from '../../shared/transcript/fields.ts'
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

/** The time of a line in which a thread begins to review; none for any other line. */
export function reviewBegun({ content }: Line): number[] {
  if (content.kind !== 'record' || fieldsOf(content.record.payload).type !== 'entered_review_mode') return []
  return [Date.parse(textOf(content.record.timestamp))]
}

/** Whether a thread that began at this time is that of the agent of one of these reviews. */
export function isAtReview(time: number, begun: readonly number[]): boolean {
  return begun.some((at) => Math.abs(time - at) <= MOST_BETWEEN)
}

/** Both are written as the review begins. */
const MOST_BETWEEN = 5_000

/** The messages of the agents that did the reviews in these lines, by the id of their thread: no call started them. */
export function readReviews(
  raw: RawTranscript,
  lines: readonly Line[],
  blobs: Map<string, Uint8Array>,
): Record<string, Message[]> {
  const begun = lines.flatMap(reviewBegun)
  if (begun.length === 0) return {}
  const found = raw.sideFiles.flatMap((path): [string, Message[]][] => {
    const [, thread] = /(?:^|\/)review-([^/]+)\.jsonl$/.exec(path) ?? []
    const own = thread === undefined ? [] : splitLines(raw.readSideFile(path) ?? new Uint8Array())
    const [first] = own
    if (first?.content.kind !== 'record') return []
    if (!isAtReview(Date.parse(textOf(first.content.record.timestamp)), begun)) return []
    const reader = new TranscriptReader(thread!, blobs, itemsWithoutEvent(own))
    reader.read(own)
    return [[thread!, reader.writer.messages]]
  })
  return Object.fromEntries(found)
}
