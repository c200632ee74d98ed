import type { Reading, ReadReport } from '../../clients/contract/reading.ts'
import { readerOf } from '../../clients/index.ts'
import type { KnownFacts, ReadSegment } from '../../session/reconcile.ts'
import type { Message } from '../../session/schema.ts'
import type { Segment } from '../../store/machine/binding.ts'
import { readForgotten } from '../../store/machine/journal/forgotten.ts'
import { hashOf, type PublishedSegment, type ReadMark } from '../../store/machine/published.ts'
import type { Workspace } from '../../workspace/open.ts'
import { nextReadPointIn } from './next-read-point.ts'
import { withOwnCalls } from './own-call-ids.ts'
import { type Prepared, prepare, whyMoreTools } from './prepare.ts'
import { saidInConversation } from './said-in-conversation.ts'
import {
  type BoundSegment,
  hasEnded,
  isSimple,
  type NativeFiles,
  type SegmentContent,
  wasStopped,
} from './segment-content.ts'

/** How far a segment is in the record, and the ids of all messages there. */
export type MarkedSegment = PublishedSegment & Pick<ReadMark, 'recordedIds'>

/**
 * Reads the new part of a segment. The reading begins with the last published messages, to compare them with the mark.
 * Undefined when the whole segment must be read. For example, the published messages have changed, or a new message
 * goes back to an earlier one, or is the result of an earlier call.
 */
export function readNewPart(
  ws: Workspace,
  { binding: { client, native_id: nativeId }, segment }: Omit<BoundSegment, 'content'>,
  native: NativeFiles,
  { recordedIds, ...marked }: MarkedSegment,
): SegmentContent | undefined {
  const { journal, sides, more } = native
  // A hook has not noted yet where the resume ends and its first turn begins.
  if (segment.pending === true && segment.to === undefined) return undefined
  const { again } = marked
  const size = journal.generations.find(({ name }) => name === segment.journal)?.size ?? 0
  const end = Math.min(segment.to ?? size, size)
  const changed = sides.paths.filter((path) => sides.stamps[path] !== marked.sides[path])
  if (end < marked.end || changed.some((path) => path in marked.sides)) return undefined
  // When a session ends, the prompts in its queue count as never sent. Such a prompt may be older than the new part.
  if (hasEnded(segment) !== marked.ended) return undefined
  const { said, lastActive } = marked.facts
  const head = { client, nativeId, startedAt: segment.started_at, before: { said, lastActive } }
  if (end === marked.end && changed.length === 0) return nothingNew(head, marked, sides.stamps)
  if (again === undefined || !isSimple(segment)) return undefined
  const bytes = journal.read(segment.journal, again.at, end)
  const { read, refersBack } = readerOf(client).reading
  if (refersBack?.(bytes) === true) return undefined
  const raw = {
    nativeId,
    bytes,
    firstLine: again.line,
    countFrom: marked.end - again.at,
    ended: hasEnded(segment) && segment.to! >= size && more !== true,
    ...(more === true && { more }),
    sideFiles: changed,
    readSideFile: sides.read,
  }
  const reading = withOwnCalls(read(raw))
  const talk = saidInConversation(segment, reading)
  // The secrets and bytes of messages that are read again were counted when these were published.
  const before = new Set(marked.seen.map(([id]) => id))
  const begin = talk.findLastIndex(({ id }) => before.has(id)) + 1
  const firstNew = again.line + lineBreaksIn(bytes.subarray(0, marked.end - again.at))
  const readAgain = ({ seq }: Message) => changed.length === 0 && seq !== undefined && seq < firstNew
  const earlier = prepare(ws, {
    messages: talk.slice(0, begin),
    subagents: pick(reading.subagents, readAgain),
    blobs: reading.blobs,
  })
  const prepared = prepare(ws, {
    messages: talk.slice(begin),
    subagents: pick(reading.subagents, (message) => !readAgain(message)),
    blobs: reading.blobs,
  })
  const messages = [...earlier.messages, ...prepared.messages]
  const subagents = joined(reading.subagents, earlier.subagents, prepared.subagents)
  const fresh = freshIn(messages, marked, recordedIds)
  if (fresh === undefined || repeatsTalk(fresh, marked, recordedIds)) return undefined
  const { seqs: forgotten } = readForgotten(ws.local, { client, native_id: nativeId })
  if (fresh.some(({ id }) => forgotten.has(id))) return undefined
  if (!isIndependent(fresh, messages)) return undefined
  if (more !== true && (reading.sideFilesLeft !== undefined || lacksSubagents(changed, { subagents })))
    return undefined
  const facts = factsWith(marked.facts, reading, () => whyMoreTools(ws, client))
  return contentOf({
    ...{ segment, native, reading, end },
    prepared: { ...prepared, messages, subagents },
    read: { ...head, ...facts, messages: fresh },
    from: { bytes, ...again },
  })
}

function nothingNew(
  head: Pick<ReadSegment, 'client' | 'nativeId' | 'startedAt' | 'before'>,
  { end, again, seen, open, facts: { said: _, lastActive: __, ...facts } }: PublishedSegment,
  sides: SegmentContent['sides'],
): SegmentContent {
  return {
    read: { ...head, ...facts, messages: open },
    subagents: {},
    blobs: new Map(),
    redacted: {},
    taken: 0,
    report: NOTHING_READ,
    settled: open.length === 0,
    end,
    sides,
    nextReadPoint: { seen, open, ...(again && { again }) },
  }
}

/** What was read of a segment: to the offset `end`, beginning with the bytes at `from`. */
interface SegmentRead {
  segment: Segment
  native: NativeFiles
  reading: Reading
  prepared: Prepared
  /** What publishing gets of it. */
  read: ReadSegment
  end: number
  from: Parameters<typeof nextReadPointIn>[0]
}

export function contentOf({
  segment,
  native,
  reading,
  prepared,
  read,
  end,
  from,
}: SegmentRead): SegmentContent {
  const { messages, ...ready } = prepared
  const { report, facts, sideFilesLeft: left = [] } = reading
  const { more, sides } = native
  const settled = facts.settled || wasStopped(segment)
  const point = nextReadPointIn(from, messages, more === true ? 'piece' : settled ? 'settled' : 'open')
  return {
    ...ready,
    ...{ read, report, settled, end },
    sides: Object.fromEntries(Object.entries(sides.stamps).filter(([path]) => !left.includes(path))),
    nextReadPoint: isSimple(segment) ? point : { seen: [], open: point.open },
    ...(more === true && { more }),
  }
}

const NOTHING_READ: ReadReport = {
  bytes: 0,
  kept: { records: 0, bytes: 0 },
  derived: { records: 0, bytes: 0 },
  dropped: {},
  unknown: {},
  unreadable: [],
}

type Talks = Readonly<Record<string, readonly Message[]>>

function pick(talks: Talks, isWanted: (message: Message) => boolean): Record<string, Message[]> {
  return Object.fromEntries(Object.entries(talks).map(([call, said]) => [call, said.filter(isWanted)]))
}

/** Joins the earlier and the later part of each talk. */
function joined(talks: Talks, earlier: Talks, later: Talks): Record<string, Message[]> {
  return Object.fromEntries(
    Object.keys(talks).map((call) => [call, [...(earlier[call] ?? []), ...(later[call] ?? [])]]),
  )
}

function lineBreaksIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

/** Returns the messages after those that were published; undefined when the published messages have changed. */
function freshIn(
  messages: readonly Message[],
  { seen }: PublishedSegment,
  recordedIds: ReadMark['recordedIds'],
): Message[] | undefined {
  const hashed = seen.filter(([, hash]) => hash !== '')
  const begin = messages.findIndex(({ id }) => id === hashed[0]?.[0])
  const same =
    begin !== -1 &&
    messages.slice(0, begin).every(({ id }) => recordedIds.has(id)) &&
    hashed.every(([id, hash], index) => {
      const message = messages[begin + index]
      return message?.id === id && hashOf(message) === hash
    })
  return same ? messages.slice(begin + hashed.length) : undefined
}

/**
 * Whether one of the new messages is in the record already, because the client has repeated it. Messages that may still
 * grow do not count.
 */
function repeatsTalk(
  fresh: readonly Message[],
  { open }: Pick<PublishedSegment, 'open'>,
  recordedIds: ReadMark['recordedIds'],
): boolean {
  const growing = new Set(open.map(({ id }) => id))
  return fresh.some(({ id }) => !growing.has(id) && recordedIds.has(id))
}

/** Whether no new message depends on what was said before the messages that were read. */
function isIndependent(fresh: readonly Message[], messages: readonly Message[]): boolean {
  const ids = new Set(messages.map(({ id }) => id))
  const calls = new Set(messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id)))
  const linked = messages.some(({ parent_id }) => parent_id !== undefined)
  return fresh.every(({ event, parent_id: parent, tool_call_id: call, to }) =>
    event === 'rewound'
      ? ids.has(`${to}`)
      : (event === undefined || (parent !== undefined && isPlainEvent(event))) &&
        (parent === undefined ? !linked : ids.has(`${parent}`)) &&
        (call === undefined || calls.has(call)),
  )
}

/** Whether an event refers to no message before the one that it follows. */
function isPlainEvent(event: string): boolean {
  return event === 'compacted' || event === 'interrupted' || event === 'unknown'
}

/**
 * Whether the side file of a subagent has changed, but the call that started it is not among the turns that were read.
 */
function lacksSubagents(changed: readonly string[], { subagents }: Pick<Prepared, 'subagents'>): boolean {
  return changed.filter((path) => path.endsWith('.jsonl')).length > Object.keys(subagents).length
}

function factsWith(earlier: KnownFacts, { facts }: Reading, why: () => string | undefined) {
  const more = earlier.toolsUnknown !== undefined && facts.calledToolsOnly === true
  return {
    model: facts.model ?? earlier.model,
    mcpTools: [...new Set([...earlier.mcpTools, ...facts.mcpTools])].sort(),
    toolsUnknown: more ? why() : undefined,
    from: earlier.from ?? facts.from,
    to: facts.to ?? earlier.to,
  }
}
