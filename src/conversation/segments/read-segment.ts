import { clientOf } from '../../clients/index.ts'
import { sha256 } from '../../hash.ts'
import type { ReadSegment } from '../../session/reconcile.ts'
import { segmentEvent } from '../../session/segment-event.ts'
import { journalPath, journalSideFolder } from '../../store/layout.ts'
import {
  type Binding,
  closeSegment,
  extendEnded,
  followRestarts,
  mayGrow,
} from '../../store/machine/binding.ts'
import { readCurrentJournal } from '../../store/machine/journal/current-journal.ts'
import { readCurrentSideFiles } from '../../store/machine/journal/side-files.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { isSegment } from '../../store/machine/published.ts'
import type { Workspace } from '../../workspace/open.ts'
import { transcriptOf } from '../own-transcript.ts'
import { partsBefore } from '../transcript-bytes.ts'
import { prepare, whyMoreTools } from './prepare.ts'
import { againIn, readTail } from './read-tail.ts'
import { addedByRewriting } from './restarted.ts'
import { saidInConversation } from './said-in-conversation.ts'
import {
  type BoundSegment,
  hasEnded,
  isSimple,
  type Marked,
  type NativeFiles,
  type PlannedEnd,
  type SegmentContent,
} from './segment-content.ts'

/**
 * Reads the segments of a conversation from the journals and from what the transcripts have beyond them. So messages
 * that the client deleted or another branch hid are still there. Writes nothing. A segment that has not changed since
 * `known` was read is taken from there. Live segments are read up to their planned `ends`. What the record holds by
 * `marked` is left out, where that can be told without reading it.
 */
export function readSegments(
  ws: Workspace,
  path: string,
  known: readonly BoundSegment[] = [],
  ends: readonly PlannedEnd[] = [],
  marked?: Marked,
): BoundSegment[] {
  return boundSegments(ws, path, ends, marked).map(({ native, one, ...bound }) => ({
    ...bound,
    content: (one && readTail(ws, bound, native, one)) ?? readSegment(ws, bound, native, known),
  }))
}

/** The same where every segment can be read on from what is published of it; undefined otherwise. */
export function readTails(
  ws: Workspace,
  path: string,
  ends: readonly PlannedEnd[],
  marked?: Marked,
): BoundSegment[] | undefined {
  const result: BoundSegment[] = []
  for (const { native, one, ...bound } of boundSegments(ws, path, ends, marked)) {
    const content = one && readTail(ws, bound, native, one)
    if (content === undefined) return undefined
    result.push({ ...bound, content })
  }
  return result
}

/** The segments of a conversation, each with its files and with what is published of it. */
function boundSegments(ws: Workspace, path: string, ends: readonly PlannedEnd[], marked?: Marked) {
  const bindings = new Set(segmentsOf(ws.local, path, ws).map(({ binding }) => binding))
  return [...bindings].flatMap((stored) => {
    const { binding: caughtUp, native } = asCaughtUp(ws, stored, path)
    const binding = endedAt(ws, caughtUp, ends)
    return binding.segments
      .filter((segment) => segment.conversation === path && segment.tidied !== true)
      .map((segment) => {
        const one = marked?.segments.find((candidate) => isSegment(candidate, binding, segment))
        return { binding, segment, native, one: one && marked && { ...one, held: marked.held } }
      })
  })
}

function endedAt(ws: Workspace, binding: Binding, ends: readonly PlannedEnd[]): Binding {
  const end = ends.find((one) => one.client === binding.client && one.nativeId === binding.native_id)
  return end === undefined
    ? binding
    : closeSegment(binding, { to: end.to, by: 'stop', at: ws.environment.now() })
}

/** A binding and its files as catching up (catch-up.ts) would leave them, without writing. */
function asCaughtUp(
  ws: Workspace,
  binding: Binding,
  path: string,
): { binding: Binding; native: NativeFiles } {
  const { client: id, native_id } = binding
  const transcript = transcriptOf(ws, binding)
  const last = binding.segments.at(-1)
  const goesOn = last?.conversation === path && (last.to === undefined || mayGrow(last))
  const { sideFiles } = goesOn && transcript !== '' ? clientOf(id).sessions : {}
  const journal = readCurrentJournal({
    transcript: goesOn ? transcript : undefined,
    before: goesOn ? partsBefore({ client: id, transcript }) : [],
    journal: journalPath(ws.local, id, native_id),
  })
  const sources = goesOn ? sideSources(id, transcript, native_id) : []
  const sides = readCurrentSideFiles(
    journalSideFolder(ws.local, id, native_id),
    sources,
    sideFiles?.(transcript, native_id),
  )
  const newest = journal.generations.at(-1)
  const followed = goesOn ? followRestarts(binding, journal.generations, ws.environment.now()) : binding
  const copy = newest && { generation: newest.name, size: newest.size }
  return {
    binding: goesOn && copy !== undefined ? extendEnded(followed, copy) : followed,
    native: { journal, sides },
  }
}

function sideSources(id: string, transcript: string, nativeId: string) {
  if (transcript === '') return []
  const { sideFolder, outputsFolder } = clientOf(id).sessions
  const side = sideFolder?.(transcript, nativeId)
  const outputs = outputsFolder?.(transcript, nativeId)
  return [
    ...(side === undefined ? [] : [{ folder: side, below: '' }]),
    ...(outputs === undefined ? [] : [{ folder: outputs, below: 'outputs' }]),
  ]
}

function readSegment(
  ws: Workspace,
  { binding, segment }: Omit<BoundSegment, 'content'>,
  { journal, sides }: NativeFiles,
  held: readonly BoundSegment[],
): SegmentContent {
  const bytes = journal.read(segment.journal)
  const { published_to: _, process: __, notified: ___, left_notified: ____, ...what } = segment
  const stamp = sha256(
    `${binding.client}\n${JSON.stringify(what)}\n${sha256(bytes)}\n${JSON.stringify(sides.stamps)}`,
  )
  const same = held.find(({ content }) => content.stamp === stamp)
  if (same !== undefined) return same.content
  const { to } = segment
  const reading = clientOf(binding.client).reading.read({
    nativeId: binding.native_id,
    bytes,
    from: segment.from,
    ...(to === undefined ? {} : { to }),
    ended: hasEnded(segment) && segment.to! >= bytes.length,
    sides: sides.paths,
    side: sides.read,
  })
  // While a resume is pending, nothing counts as published: a hook will tell where it begins.
  const until = to ?? (segment.pending === true ? segment.from : bytes.length)
  const end = Math.min(until, bytes.length)
  if (journal.generations.findIndex(({ name }) => name === segment.journal) > 0)
    reading.messages = addedByRewriting(binding, segment, journal, reading.messages)
  reading.messages = saidInConversation(segment, reading)
  const { messages, ...ready } = prepare(ws, reading)
  const begin = {
    client: binding.client,
    nativeId: binding.native_id,
    from: reading.facts.from,
    startedAt: segment.started_at,
    how: segment.how,
    cleared: segment.cleared,
  }
  const read: ReadSegment = {
    client: binding.client,
    nativeId: binding.native_id,
    startedAt: segment.started_at,
    messages: [...segmentEvent(begin, messages), ...messages],
    model: reading.facts.model,
    mcpTools: reading.facts.mcpTools,
    toolsUnknown: reading.facts.calledToolsOnly === true ? whyMoreTools(ws, binding.client) : undefined,
    from: reading.facts.from,
    to: reading.facts.to,
  }
  const { settled } = reading.facts
  const known = againIn({ bytes: bytes.subarray(0, end), at: 0, line: 0 }, messages, settled)
  return {
    ...ready,
    read,
    report: reading.report,
    settled,
    end,
    stamp,
    sides: sides.stamps,
    known: isSimple(segment) ? known : { seen: [], open: known.open },
  }
}
