import type { Reading, ReadReport } from '../../clients/contract/reading.ts'
import { clientOf } from '../../clients/index.ts'
import { isPrompt, isTalk } from '../../session/live-path.ts'
import { type KnownFacts, type ReadSegment, saidIn } from '../../session/reconcile.ts'
import type { Message } from '../../session/schema.ts'
import { hashOf, type PublishedSegment } from '../../store/machine/published.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Prepared, prepare, whyMoreTools } from './prepare.ts'
import { saidInConversation } from './said-in-conversation.ts'
import {
  type BoundSegment,
  hasEnded,
  isSimple,
  type Known,
  type Marked,
  type NativeFiles,
  type SegmentContent,
} from './segment-content.ts'

/**
 * Reads what a segment holds beyond what was published of it, from an earlier turn on. Undefined when only a reading of
 * all of it can tell: when the turns that were published read otherwise now, and when something new leans on what was
 * said before them (a rewind, a compaction, an answer or a subagent of an earlier turn).
 */
export function readTail(
  ws: Workspace,
  { binding: { client, native_id: nativeId }, segment }: Omit<BoundSegment, 'content'>,
  { journal, sides }: NativeFiles,
  { held, ...marked }: PublishedSegment & Pick<Marked, 'held'>,
): SegmentContent | undefined {
  // It is not known yet where the resume ends and its first turn begins.
  if (segment.pending === true && segment.to === undefined) return undefined
  const { again } = marked
  const size = journal.generations.find(({ name }) => name === segment.journal)?.size ?? 0
  const end = Math.min(segment.to ?? size, size)
  const changed = sides.paths.filter((path) => sides.stamps[path] !== marked.sides[path])
  if (end < marked.end || changed.some((path) => path in marked.sides)) return undefined
  // A prompt that waited in the client's queue may have been typed long before.
  if (hasEnded(segment) !== marked.ended) return undefined
  const { said, lastActive } = marked.facts
  const head = { client, nativeId, startedAt: segment.started_at, before: { said, lastActive } }
  if (end === marked.end && changed.length === 0) return nothingNew(head, marked, sides.stamps)
  if (again === undefined || !isSimple(segment)) return undefined
  const bytes = journal.read(segment.journal, again.at).subarray(0, end - again.at)
  const { read, refersBack } = clientOf(client).reading
  if (refersBack?.(bytes) === true) return undefined
  const reading = read({
    nativeId,
    bytes,
    firstLine: again.line,
    sides: changed,
    side: sides.read,
  })
  const { messages, ...prepared } = prepare(ws, {
    ...reading,
    messages: saidInConversation(segment, reading),
  })
  const fresh = freshIn(messages, marked)
  if (fresh === undefined || isKnown(fresh, marked, held)) return undefined
  if (!standAlone(fresh, messages) || lacksSubagents(changed, prepared)) return undefined
  const facts = factsWith(marked.facts, reading, () => whyMoreTools(ws, client))
  const { settled } = reading.facts
  return {
    ...prepared,
    read: { ...head, ...facts, messages: fresh },
    report: reading.report,
    settled,
    end,
    sides: sides.stamps,
    known: againIn({ bytes, ...again }, messages, settled),
  }
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
    known: { seen, open, ...(again && { again }) },
  }
}

/**
 * How many messages of people and agents are read again before those that may still grow, and how many of these only
 * lead up to the ones that are compared.
 */
const AGAIN = 9
const LEADING = 3

/**
 * The place where the next reading can begin, for a segment whose end reads as `messages`: `bytes` are at the offset `at` and begin
 * with the line `line`. A short talk is read as a whole again.
 */
export function againIn(
  { bytes, at, line }: { bytes: Uint8Array; at: number; line: number },
  messages: readonly Message[],
  settled: boolean,
): Known {
  const lastAsked = messages.findLastIndex(isPrompt)
  const grows = settled ? messages.length : Math.max(0, lastAsked)
  const open = messages.slice(grows)
  const talk = messages.flatMap((message, index) =>
    index < grows && isTalk(message) && Number.isInteger(message.seq) ? [{ index, seq: message.seq! }] : [],
  )
  const [first, second] = [talk.at(-AGAIN), talk.at(LEADING - AGAIN)]
  if (first === undefined || second === undefined) return { seen: [], open }
  const offset = offsetOf(bytes, first.seq - line)
  return {
    again: { at: at + offset, line: first.seq },
    seen: messages
      .slice(first.index, grows)
      .map((message, index) => [message.id, index < second.index - first.index ? '' : hashOf(message)]),
    open,
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

/** The offset of a line, counted from 0. */
function offsetOf(bytes: Uint8Array, line: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  for (let left = line; left > 0; left -= 1) at = buffer.indexOf(10, at) + 1
  return at
}

/** The messages after those that were published; undefined when these are not as they were. */
function freshIn(messages: readonly Message[], { seen }: PublishedSegment): Message[] | undefined {
  const hashed = seen.filter(([, hash]) => hash !== '')
  const begin = messages.findIndex(({ id }) => id === hashed[0]?.[0])
  const before = new Set(seen.map(([id]) => id))
  const same =
    begin !== -1 &&
    messages.slice(0, begin).every(({ id }) => before.has(id)) &&
    hashed.every(([id, hash], index) => {
      const message = messages[begin + index]
      return message?.id === id && hashOf(message) === hash
    })
  return same ? messages.slice(begin + hashed.length) : undefined
}

/** Whether something was said before: a client may repeat its talk. What may still grow is no repetition. */
function isKnown(
  fresh: readonly Message[],
  { open }: Pick<PublishedSegment, 'open'>,
  held: Marked['held'],
): boolean {
  const growing = new Set(open.map(({ id }) => id))
  return fresh.some(({ id }) => held.has(id) && !growing.has(id))
}

/** Whether nothing new depends on what was said before the messages that were read. */
function standAlone(fresh: readonly Message[], messages: readonly Message[]): boolean {
  const ids = new Set(messages.map(({ id }) => id))
  const calls = new Set(messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id)))
  const linked = messages.some(({ parent_id }) => parent_id !== undefined)
  return fresh.every(
    ({ event, parent_id: parent, tool_call_id: call }) =>
      event === undefined &&
      (parent === undefined ? !linked : ids.has(`${parent}`)) &&
      (call === undefined || calls.has(call)),
  )
}

/** Whether there are talks of subagents that no call in these turns has started. */
function lacksSubagents(changed: readonly string[], { subagents }: Pick<Prepared, 'subagents'>): boolean {
  return changed.filter((path) => path.endsWith('.jsonl')).length > Object.keys(subagents).length
}

function factsWith(known: KnownFacts, { facts }: Reading, why: () => string | undefined) {
  const more = known.toolsUnknown !== undefined && facts.calledToolsOnly === true
  return {
    model: facts.model ?? known.model,
    mcpTools: [...new Set([...known.mcpTools, ...facts.mcpTools])].sort(),
    toolsUnknown: more ? why() : undefined,
    from: known.from ?? facts.from,
    to: facts.to ?? known.to,
  }
}

/** The mark of a segment once all that was read of it is published. */
export function publishedSegment({ binding, segment, content }: BoundSegment): PublishedSegment {
  const { client, native_id } = binding
  const { journal, from, started_at } = segment
  const { read, end, known, sides } = content
  const { model, mcpTools, toolsUnknown, from: first, to } = read
  // Messages that may still grow are counted when they are read again.
  const { said, lastActive } = saidIn(read)
  const facts: KnownFacts = {
    said: said - saidIn({ messages: known.open }).said,
    lastActive,
    model,
    mcpTools,
    toolsUnknown,
    from: first,
    to,
  }
  const ended = hasEnded(segment)
  return { client, native_id, journal, from, started_at, end, ended, ...known, sides, facts }
}
