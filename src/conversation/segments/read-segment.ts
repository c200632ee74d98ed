import type { RawTranscript, Reading } from '../../clients/contract/reading.ts'
import { readerOf } from '../../clients/index.ts'
import { sha256 } from '../../hash.ts'
import { fileError } from '../../io/file-error.ts'
import type { ReadSegment } from '../../session/reconcile.ts'
import { segmentEvent } from '../../session/segment-event.ts'
import { journalPath, journalSideFolder } from '../../store/layout.ts'
import {
  type Binding,
  closeSegment,
  followRestarts,
  mayGrow,
  type Segment,
} from '../../store/machine/binding.ts'
import { readCurrentJournal } from '../../store/machine/journal/current-journal.ts'
import { readForgotten } from '../../store/machine/journal/forgotten.ts'
import { readCurrentSideFiles } from '../../store/machine/journal/side-files.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { isSegment, type ReadMark } from '../../store/machine/published.ts'
import type { Workspace } from '../../workspace/open.ts'
import { sideSources, transcriptOf } from '../own-transcript.ts'
import { partsBefore } from '../transcript-bytes.ts'
import { contentOf, type MarkedSegment, readNewPart } from './new-part.ts'
import { withOwnCalls } from './own-call-ids.ts'
import { prepare, whyMoreTools } from './prepare.ts'
import { ownMessagesAfterRewrite, withoutForgotten } from './restarted.ts'
import { extendToTurnEnd } from './running-turn.ts'
import { saidInConversation } from './said-in-conversation.ts'
import {
  type BoundSegment,
  hasEnded,
  type NativeFiles,
  type PlannedEnd,
  type Reach,
  type SegmentContent,
  type SegmentPiece,
} from './segment-content.ts'

/**
 * Reads the segments of a conversation from the journals and from what the transcripts have beyond them. Messages that
 * the client has deleted are still in the journals. Writes nothing. Takes a segment from `previous` if it has not
 * changed since. Live segments are read up to their planned `ends`. If a segment can be continued from its mark, only
 * its new part is read.
 */
export function readSegments(
  ws: Workspace,
  path: string,
  previous: readonly BoundSegment[] = [],
  reach: Reach = {},
  marked?: ReadMark,
): BoundSegment[] {
  return boundSegments(ws, path, reach, marked).map(({ native, published, ...bound }) => ({
    ...bound,
    content:
      (published && readNewPart(ws, bound, native, published)) ?? readSegment(ws, bound, native, previous),
  }))
}

/** Like `readSegments`, but reads only new parts. Undefined if any segment cannot be continued from its mark. */
export function readNewParts(
  ws: Workspace,
  path: string,
  reach: Reach,
  marked?: ReadMark,
): BoundSegment[] | undefined {
  const result: BoundSegment[] = []
  for (const { native, published, ...bound } of boundSegments(ws, path, reach, marked)) {
    const content = published && readNewPart(ws, bound, native, published)
    if (content === undefined) return undefined
    result.push({ ...bound, content })
  }
  return result
}

/** Returns the segments of a conversation, each with its files and its mark. */
export function boundSegments(
  ws: Workspace,
  path: string,
  { ends = [], piece }: Reach,
  marked?: ReadMark,
): (Omit<BoundSegment, 'content'> & { native: NativeFiles; published: MarkedSegment | undefined })[] {
  const bindings = new Set(segmentsOf(ws.local, path, ws).map(({ binding }) => binding))
  return [...bindings].flatMap((stored) => {
    const { binding: caughtUp, native } = asAfterCatchUp(ws, stored, path)
    const binding = withPlannedEnd(ws, caughtUp, ends)
    return binding.segments
      .filter((segment) => segment.conversation === path && segment.tidied !== true)
      .map((segment) => {
        const published = marked?.segments.find((candidate) => isSegment(candidate, binding, segment))
        return {
          binding,
          segment,
          native: inPiece(native, binding, segment, piece),
          published: published && marked && { ...published, recordedIds: marked.recordedIds },
        }
      })
  })
}

/** Returns the files of a segment as if its journal ended where the piece ends. */
function inPiece(
  native: NativeFiles,
  { client, native_id }: Binding,
  { journal: name, started_at }: Segment,
  piece: SegmentPiece | undefined,
): NativeFiles {
  if (piece?.client !== client || piece.nativeId !== native_id || piece.started_at !== started_at)
    return native
  const { generations, read } = native.journal
  return {
    ...native,
    more: true,
    journal: {
      generations: generations.map((one) => (one.name === name ? { ...one, size: piece.to } : one)),
      read: (generation, from, to = piece.to) => read(generation, from, Math.min(to, piece.to)),
    },
  }
}

function withPlannedEnd(ws: Workspace, binding: Binding, ends: readonly PlannedEnd[]): Binding {
  const end = ends.find(({ client, nativeId }) => client === binding.client && nativeId === binding.native_id)
  return end === undefined
    ? binding
    : closeSegment(binding, { to: end.to, by: end.by, at: ws.environment.now() })
}

/** Returns a binding and its files as they would be after catching up (catch-up.ts). Writes nothing. */
function asAfterCatchUp(
  ws: Workspace,
  binding: Binding,
  path: string,
): { binding: Binding; native: NativeFiles } {
  const { client: id, native_id } = binding
  const transcript = transcriptOf(ws, binding)
  const last = binding.segments.at(-1)
  const mayContinue = last?.conversation === path && (last.to === undefined || mayGrow(last))
  const journal = readCurrentJournal({
    transcript: mayContinue ? transcript : undefined,
    before: mayContinue ? partsBefore({ client: id, transcript }) : [],
    journal: journalPath(ws.local, id, native_id),
  })
  const sources = sideSources({ client: id, native_id, transcript: mayContinue ? transcript : '' })
  const sides = readCurrentSideFiles(journalSideFolder(ws.local, id, native_id), sources)
  const newest = journal.generations.at(-1)
  const followed = mayContinue ? followRestarts(binding, journal.generations, ws.environment.now()) : binding
  const copy = newest && {
    generation: newest.name,
    size: newest.size,
    read: () => journal.read(newest.name),
  }
  return {
    binding: mayContinue && copy !== undefined ? extendToTurnEnd(ws, followed, copy) : followed,
    native: { journal, sides },
  }
}

/**
 * Leaves out the subagents and attachments that no message names. A transcript that was written anew has those of other
 * conversations of the session too.
 */
function keepWhatIsNamed(reading: Reading): void {
  const kept = [...reading.messages]
  const calls = new Set<string>()
  // The list grows by what subagents have said.
  for (const { tool_calls: made = [] } of kept)
    for (const { id } of made.filter((call) => !calls.has(call.id))) {
      calls.add(id)
      for (const message of reading.subagents[id] ?? []) kept.push(message)
    }
  const named = new Set(kept.flatMap(({ attachments = [] }) => attachments.map(({ sha256 }) => sha256)))
  reading.subagents = Object.fromEntries(
    Object.entries(reading.subagents).filter(([call]) => calls.has(call)),
  )
  reading.blobs = new Map([...reading.blobs].filter(([sha256]) => named.has(sha256)))
}

/** Reads a transcript. Throws `unreadable` if its client keeps it in one text, which can be too long for node. */
function readOrRefuse({ client, transcript }: Binding, raw: RawTranscript): Reading {
  try {
    return withOwnCalls(readerOf(client).reading.read(raw))
  } catch (error) {
    throw fileError(error, transcript, 'read')
  }
}

/** Whether a rewritten transcript goes on with a conversation that has an earlier part of its session. */
function hasEarlier({ segments }: Binding, { conversation, journal }: Segment): boolean {
  return segments.some(
    (one) =>
      one.conversation === conversation &&
      one.journal !== journal &&
      one.restarted !== true &&
      one.pending !== true &&
      one.to !== one.from,
  )
}

function readSegment(
  ws: Workspace,
  { binding, segment }: Omit<BoundSegment, 'content'>,
  native: NativeFiles,
  previous: readonly BoundSegment[],
): SegmentContent {
  const { journal, sides, more } = native
  const bytes = journal.read(segment.journal)
  const { published_to: _, saved_at: _s, process: __, notified: ___, left_notified: ____, ...what } = segment
  const stamp = sha256(
    `${binding.client}\n${JSON.stringify(what)}\n${sha256(bytes)}\n${JSON.stringify(sides.stamps)}`,
  )
  const same = previous.find(({ content }) => content.stamp === stamp)
  if (same !== undefined) return same.content
  const reading = readOrRefuse(binding, {
    nativeId: binding.native_id,
    bytes,
    from: segment.from,
    ...(segment.to !== undefined && { to: segment.to }),
    ended: hasEnded(segment) && segment.to! >= bytes.length && more !== true,
    ...(more === true && { more }),
    sideFiles: sides.paths,
    readSideFile: sides.read,
  })
  // A pending segment has no turn of its conversation yet, so nothing of it counts as published. A hook will note where
  // its first turn begins.
  const until = segment.to ?? (segment.pending === true ? segment.from : bytes.length)
  const end = Math.min(until, bytes.length)
  const isRewritten = journal.generations.findIndex(({ name }) => name === segment.journal) > 0
  const found = reading.messages.length
  const forgotten = () => readForgotten(ws.local, binding)
  reading.messages = isRewritten
    ? ownMessagesAfterRewrite(binding, segment, journal, forgotten, reading.messages)
    : withoutForgotten(segment, forgotten(), reading.messages)
  const isLess = reading.messages.length < found
  reading.messages = saidInConversation(segment, reading)
  if (isRewritten || isLess) keepWhatIsNamed(reading)
  const prepared = prepare(ws, reading)
  const { messages } = prepared
  const { model, mcpTools, calledToolsOnly, from, to } = reading.facts
  const begin = { client: binding.client, nativeId: binding.native_id, startedAt: segment.started_at }
  const goesOn = segment.restarted === true && hasEarlier(binding, segment)
  const { how, cleared } = segment
  const read: ReadSegment = {
    ...begin,
    messages: goesOn ? messages : [...segmentEvent({ ...begin, from, how, cleared }, messages), ...messages],
    ...{ model, mcpTools, from: goesOn ? undefined : from, to },
    toolsUnknown: calledToolsOnly === true ? whyMoreTools(ws, binding.client) : undefined,
  }
  const from0 = { bytes: bytes.subarray(0, end), at: 0, line: 0 }
  return { ...contentOf({ segment, native, reading, prepared, read, end, from: from0 }), stamp }
}
