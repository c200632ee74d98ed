import type { Reading, ReadReport } from '../../clients/contract/reading.ts'
import { clientOf } from '../../clients/index.ts'
import { sha256 } from '../../crypto.ts'
import { redactMessages } from '../../redact/messages.ts'
import { afterResume } from '../../session/control-turns.ts'
import type { ReadSegment } from '../../session/reconcile.ts'
import { segmentEvent } from '../../session/segment-event.ts'
import { journalPath, journalSideFolder } from '../../store/layout.ts'
import {
  type Binding,
  closeSegment,
  extendEnded,
  followRestarts,
  mayGrow,
  type Segment,
} from '../../store/machine/binding.ts'
import { type JournalAhead, readJournalAhead } from '../../store/machine/journal/journal-ahead.ts'
import { readSideFilesAhead, type SideFilesAhead } from '../../store/machine/journal/side-files.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import { boundContents } from './bound-contents.ts'
import { transcriptOf } from './own-transcript.ts'
import { addedByRewriting } from './restarted.ts'

/** A segment of a native session, read from the journal, redacted and bounded: ready for the record. */
export interface SegmentContent {
  read: ReadSegment
  subagents: Record<string, ReadSegment['messages']>
  blobs: Map<string, Uint8Array>
  report: ReadReport
  /** How many secrets were replaced, by kind. */
  redacted: Record<string, number>
  /** The offset in the journal up to which it was read. */
  end: number
  settled: boolean
  /** Identifies what was read: it changes when the segment, any byte or any side file changes. */
  stamp: string
}

export interface BoundSegment {
  binding: Binding
  segment: Segment
  content: SegmentContent
}

/** Where a native session's live segment is about to end. */
export interface PlannedEnd {
  client: string
  nativeId: string
  /** The byte offset in its journal. */
  to: number
}

/**
 * Reads the segments of a conversation from the journals and from what the transcripts have beyond them. So messages
 * that the client deleted or another branch hid are still there. Writes nothing. A segment that has not changed since
 * `known` was read is taken from there. Live segments are read up to their planned `ends`.
 */
export function readSegments(
  ws: Workspace,
  path: string,
  known: readonly BoundSegment[] = [],
  ends: readonly PlannedEnd[] = [],
): BoundSegment[] {
  const bindings = new Set(segmentsOf(ws.local, path, ws).map(({ binding }) => binding))
  return [...bindings].flatMap((stored) => {
    const { binding: caughtUp, native } = asCaughtUp(ws, stored, path)
    const binding = endedAt(ws, caughtUp, ends)
    return binding.segments
      .filter((segment) => segment.conversation === path)
      .map((segment) => ({ binding, segment, content: readSegment(ws, binding, segment, native, known) }))
  })
}

function endedAt(ws: Workspace, binding: Binding, ends: readonly PlannedEnd[]): Binding {
  const end = ends.find((one) => one.client === binding.client && one.nativeId === binding.native_id)
  return end === undefined
    ? binding
    : closeSegment(binding, { to: end.to, by: 'stop', at: ws.environment.now() })
}

interface NativeFiles {
  journal: JournalAhead
  sides: SideFilesAhead
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
  const journal = readJournalAhead({
    transcript: goesOn ? transcript : undefined,
    journal: journalPath(ws.local, id, native_id),
  })
  const sources = goesOn ? sideSources(id, transcript, native_id) : []
  const sides = readSideFilesAhead(journalSideFolder(ws.local, id, native_id), sources)
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
  binding: Binding,
  segment: Segment,
  { journal, sides }: NativeFiles,
  known: readonly BoundSegment[],
): SegmentContent {
  const bytes = journal.read(segment.journal)
  const { published_to: _, process: __, ...what } = segment
  const stamp = sha256(`${binding.client}\n${JSON.stringify(what)}\n${sha256(bytes)}\n${sides.stamp}`)
  const same = known.find(({ content }) => content.stamp === stamp)
  if (same !== undefined) return same.content
  // What a resume brings into its session is not said: see Segment.pending.
  const to = segment.to ?? (segment.pending === true ? segment.from : undefined)
  const reading = clientOf(binding.client).reading.read({
    nativeId: binding.native_id,
    bytes,
    from: segment.from,
    ...(to === undefined ? {} : { to }),
    sides: sides.paths,
    side: sides.read,
  })
  const end = Math.min(to ?? bytes.length, bytes.length)
  if (segment.restarted === true)
    reading.messages = addedByRewriting(binding, segment, journal, reading.messages)
  return { ...prepare(ws, binding, segment, reading), end, stamp }
}

function prepare(
  ws: Workspace,
  binding: Binding,
  segment: Segment,
  reading: Reading,
): Omit<SegmentContent, 'end' | 'stamp'> {
  const redacted: Record<string, number> = {}
  const ready = (messages: Reading['messages']) =>
    boundContents(
      ws.config.redact ? redactMessages(messages, redacted) : messages,
      { toolOutput: ws.config.capture.toolOutput, inline: ws.config.capture.maxInline },
      reading.blobs,
    )
  const said = ready(segment.pending === true ? afterResume(reading.messages) : reading.messages)
  const begin = {
    client: binding.client,
    nativeId: binding.native_id,
    from: reading.facts.from,
    startedAt: segment.started_at,
    how: segment.how,
    cleared: segment.cleared,
  }
  const messages = [...segmentEvent(begin, said), ...said]
  const subagents = Object.fromEntries(
    Object.entries(reading.subagents).map(([call, said]) => [call, ready(said)]),
  )
  return {
    read: {
      client: binding.client,
      nativeId: binding.native_id,
      startedAt: segment.started_at,
      messages,
      model: reading.facts.model,
      mcpTools: reading.facts.mcpTools,
      toolsUnknown: reading.facts.calledToolsOnly === true ? whyMoreTools(ws, binding.client) : undefined,
      from: reading.facts.from,
      to: reading.facts.to,
    },
    subagents,
    blobs: reading.blobs,
    report: reading.report,
    redacted,
    settled: reading.facts.settled,
  }
}

/** Undefined where no server is configured, since then there are no further tools. */
function whyMoreTools(ws: Workspace, client: string): string | undefined {
  const { name, tools } = clientOf(client)
  const servers = tools.mcpServers?.(ws.environment, ws.root) ?? []
  return servers.length === 0
    ? undefined
    : `${name} names only the tools that were used; servers: ${servers.join(', ')}`
}
