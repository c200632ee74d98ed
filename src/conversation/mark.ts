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
import { tokensOf } from './tokens.ts'
import { sizeOfTranscript } from './transcript-bytes.ts'

/** A hash of all sources, which scripts/build.mjs puts in. */
declare const __SOURCES__: string

/** A mark, and whether its record holds an id. */
export interface ReadMark extends PublishedMark {
  held: { has(id: string): boolean }
}

/** The mark of the last publishing; undefined when a file of the record has changed since. */
export function markOf(ws: Workspace, path: string, folder: string): ReadMark | undefined {
  const mark = readPublished(ws.local, path)
  if (mark?.by !== madeBy(ws) || mark.record !== publishedStamp(folder)) return undefined
  const held = publishedIds(ws.local, path, mark)
  return held && { ...mark, held }
}

/** Identifies everything on which it depends what a conversation has beyond its record. */
export function aheadStamp(ws: Workspace, path: string, folder: string): string {
  const segments = segmentsOf(ws.local, path, ws).map(({ binding, segment }) => [
    ...[binding.client, binding.native_id, segment.journal, segment.from, segment.to, segment.pending],
    segment.to === undefined || mayGrow(segment) ? sizeOfTranscript(binding) : undefined,
  ])
  return JSON.stringify([settingsOf(ws), publishedStamp(folder), segments])
}

/** A conversation of which all was read. */
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
 * Notes what the record holds now that the conversation is published. Without a note, where something is not as it
 * should be or too little was said, the next publishing reads everything.
 */
export function markPublishedWhole(ws: Workspace, conversation: WholeRead): void {
  const { path, folder, messages, plan, segments, record, pruned, problems } = conversation
  if (problems.length > 0) return
  const ids = new Set([...pruned.keys(), ...record.lines, ...plan.append].map((one) => idOf(one)))
  writePublished(
    ws.local,
    path,
    {
      by: madeBy(ws),
      record: publishedStamp(folder),
      messages: plan.session.message_count,
      tokens: tokensOf(messages),
      newest: newestOf(messages),
      asked: lastAsked(messages),
      segments: segments.map(publishedSegment),
    },
    ids,
  )
}

/** The same after only `append` was added to a record of which `mark` was known. */
export function markPublishedNew(
  ws: Workspace,
  { path, folder }: { path: string; folder: string },
  { held: _, ids, ...before }: ReadMark,
  append: readonly Message[],
  known: { messages: number; tokens: number },
  segments: readonly BoundSegment[],
): void {
  const grown = new Set(before.segments.flatMap(({ open }) => open.map(({ id }) => id)))
  writePublished(
    ws.local,
    path,
    {
      ...before,
      ...known,
      record: publishedStamp(folder),
      newest: newestOf(append, before.newest),
      asked: lastAsked(append) || before.asked,
      segments: segments.map(publishedSegment),
    },
    append.map(idOf).filter((id) => !grown.has(id)),
    ids,
  )
}

/** Another program, or other settings, would make other lines of the same transcript. */
function madeBy(ws: Workspace): string {
  const sources = typeof __SOURCES__ === 'string' ? __SOURCES__ : ''
  return `${sources} ${JSON.stringify(settingsOf(ws))}`
}

function settingsOf({ config: { redact, capture } }: Workspace) {
  return [redact, capture.toolOutput, capture.maxInline]
}

function newestOf(messages: readonly Message[], before = ''): string {
  // The time of an event may be that at which it was noted.
  return messages
    .filter(({ event, anew }) => event === undefined || anew === true)
    .reduce((newest, { timestamp }) => (compareTimes(newest, timestamp) < 0 ? timestamp : newest), before)
}

function idOf(one: string | Message): string {
  return typeof one === 'string' ? one : one.id
}
