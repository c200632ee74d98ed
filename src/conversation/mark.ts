import { compareTimes, type SavePlan } from '../session/reconcile.ts'
import type { Message } from '../session/schema.ts'
import { lastAsked } from '../session/summary.ts'
import { mayGrow } from '../store/machine/binding.ts'
import { segmentsOf } from '../store/machine/list-bindings.ts'
import {
  type PublishedMark,
  publishedIds,
  readPublished,
  writePublished,
} from '../store/machine/published.ts'
import { publishedStamp, type RecordRead } from '../store/record/index.ts'
import type { Problem } from '../store/record/problem.ts'
import type { Workspace } from '../workspace/open.ts'
import { publishedSegment } from './segments/read-tail.ts'
import type { BoundSegment } from './segments/segment-content.ts'
import { sizeOfTranscript } from './transcript-bytes.ts'

/** A hash of all sources, which scripts/build.mjs inserts. */
declare const __SOURCES__: string

/** The mark of a publishing, with the ids of the messages that were then in the record. */
export interface ReadMark extends PublishedMark {
  recordedIds: { has(id: string): boolean }
}

/** Returns the mark of the last publishing; undefined when a file of the record has changed since. */
export function markOf(ws: Workspace, path: string, folder: string): ReadMark | undefined {
  const mark = readPublished(ws.local, path)
  if (mark?.by !== programStamp(ws) || mark.record !== publishedStamp(folder)) return undefined
  const recordedIds = publishedIds(ws.local, path, mark)
  return recordedIds && { ...mark, recordedIds }
}

/**
 * Returns the mark for the files as they are after lines were moved from one file of the record to another: that changes
 * nothing about how far each segment is published. The caller moves the lines under the lock under which it has read
 * the mark, and does not store the result, because the counts of a mark are those before the move.
 */
export function markAfterMove(mark: ReadMark | undefined, folder: string): ReadMark | undefined {
  return mark && { ...mark, record: publishedStamp(folder) }
}

/** Returns a mark that was not stored, if no file of the record has changed since. */
export function stillValid(mark: ReadMark | undefined, folder: string): ReadMark | undefined {
  return mark?.record === publishedStamp(folder) ? mark : undefined
}

/**
 * Returns a stamp that changes when a conversation may have other unpublished messages. It is made of the settings, the
 * record, the segments and the sizes of transcripts.
 */
export function aheadStamp(ws: Workspace, path: string, folder: string): string {
  const segments = segmentsOf(ws.local, path, ws).map(({ binding, segment }) => [
    ...[binding.client, binding.native_id, segment.journal, segment.from, segment.to, segment.pending],
    segment.to === undefined || mayGrow(segment) ? sizeOfTranscript(binding) : undefined,
  ])
  return JSON.stringify([settingsOf(ws), publishedStamp(folder), segments])
}

/** A conversation that was read as a whole. */
interface WholeRead {
  path: string
  folder: string
  messages: Message[]
  plan: SavePlan
  pruned: ReadonlyMap<string, Message>
  record: Pick<RecordRead, 'lines'>
  segments: readonly BoundSegment[]
  problems: readonly Problem[]
}

/**
 * Writes the mark of a conversation that was read as a whole and is published; `tokens` are those of its messages
 * (`tokensOf`). Writes no mark if there are problems: then the next publishing reads everything.
 */
export function markPublishedWhole(ws: Workspace, conversation: WholeRead, tokens: number): void {
  const { path, folder, messages, plan, segments, record, pruned, problems } = conversation
  if (problems.length > 0) return
  const ids = new Set([...pruned.keys(), ...record.lines, ...plan.append].map((one) => idOf(one)))
  writePublished(
    ws.local,
    path,
    {
      by: programStamp(ws),
      record: publishedStamp(folder),
      messages: plan.session.message_count,
      tokens,
      newest: latestTime(messages),
      asked: lastAsked(messages),
      ...(isAlone([...record.lines, ...plan.append]) && { alone: true as const }),
      segments: segments.map(publishedSegment),
    },
    ids,
  )
}

/** Like `markPublishedWhole`, but updates an earlier mark after only `append` was added to the record. */
export function markPublishedNew(
  ws: Workspace,
  { path, folder }: { path: string; folder: string },
  { recordedIds: _, ids, ...before }: ReadMark,
  append: readonly Message[],
  counts: { messages: number; tokens: number },
  segments: readonly BoundSegment[],
): void {
  const grown = new Set(before.segments.flatMap(({ open }) => open.map(({ id }) => id)))
  writePublished(
    ws.local,
    path,
    {
      ...before,
      ...counts,
      record: publishedStamp(folder),
      newest: latestTime(append, before.newest),
      asked: lastAsked(append) || before.asked,
      segments: segments.map(publishedSegment),
    },
    append.map(idOf).filter((id) => !grown.has(id)),
    ids,
  )
}

/**
 * Identifies the program and its settings, because another program or other settings may make other lines from the same
 * transcript.
 */
function programStamp(ws: Workspace): string {
  const sources = typeof __SOURCES__ === 'string' ? __SOURCES__ : ''
  return `${sources} ${JSON.stringify(settingsOf(ws))}`
}

function settingsOf({ config: { redact, capture } }: Workspace) {
  return [redact, capture.toolOutput, capture.maxInline]
}

/** Whether all lines are of one native session and have a sequence number in it. */
function isAlone(lines: readonly Message[]): boolean {
  const session = lines[0]?.native_session
  return lines.every(({ native_session, seq }) => native_session === session && seq !== undefined)
}

function latestTime(messages: readonly Message[], before = ''): string {
  // Most events do not count, because they may have the time at which cortext noted them. Events that clear the
  // conversation count.
  return messages
    .filter(({ event, anew }) => event === undefined || anew === true)
    .reduce((newest, { timestamp }) => (compareTimes(newest, timestamp) < 0 ? timestamp : newest), before)
}

function idOf(one: string | Message): string {
  return typeof one === 'string' ? one : one.id
}
