import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RawTranscript, Reading, ReadReport } from '../../clients/contract/reading.ts'
import { clientOf } from '../../clients/index.ts'
import { redactMessages } from '../../redact/messages.ts'
import type { ReadSegment } from '../../session/reconcile.ts'
import { segmentEvent } from '../../session/segment-event.ts'
import { ensureLocalFolder, journalPath, journalSideFolder, localFiles } from '../../store/layout.ts'
import {
  type Binding,
  extendEnded,
  followRestarts,
  readBinding,
  type Segment,
  updateBinding,
} from '../../store/machine/binding.ts'
import { copyNewBytes, listGenerations, readJournal } from '../../store/machine/journal.ts'
import { writeLog } from '../../store/machine/log.ts'
import { copySideFiles, listSideFiles, readSideFile } from '../../store/machine/side-files.ts'
import type { Workspace } from '../../workspace/open.ts'
import { boundContents } from './bound-contents.ts'

/** A segment of a native session, read from the journal, redacted and bounded: ready for the record. */
export interface SegmentContent {
  read: ReadSegment
  subagents: Record<string, ReadSegment['messages']>
  blobs: Map<string, Uint8Array>
  report: ReadReport
  /** How many secrets were replaced, by kind. */
  redacted: Record<string, number>
  /** Journal bytes read up to here. */
  end: number
  settled: boolean
}

/** Reads a segment from the journal: what the client deleted or another branch hid is still there. */
export function readSegment(ws: Workspace, binding: Binding, segment: Segment): SegmentContent {
  const client = clientOf(binding.client)
  const folder = join(localFiles(ws.local).journal, binding.client)
  const bytes = readJournal(join(folder, segment.journal))
  const raw = rawTranscript(ws, binding, bytes, segment)
  const reading = client.reading.read(raw)
  return prepare(ws, binding, segment, reading, Math.min(segment.to ?? bytes.length, bytes.length))
}

/** Copies what the transcript and its side files have beyond the journal. */
export function catchUp(ws: Workspace, binding: Pick<Binding, 'client' | 'native_id' | 'transcript'>) {
  const { sideFolder, outputsFolder } = clientOf(binding.client).sessions
  const journal = journalPath(ws.local, binding.client, binding.native_id)
  ensureLocalFolder(ws.local, join(journal, '..'))
  const sides = journalSideFolder(ws.local, binding.client, binding.native_id)
  const beside = sideFolder?.(binding.transcript, binding.native_id)
  if (beside !== undefined) copySideFiles(beside, sides)
  const outputs = outputsFolder?.(binding.transcript, binding.native_id)
  if (outputs !== undefined && existsSync(outputs)) {
    ensureLocalFolder(ws.local, sides)
    copySideFiles(outputs, join(sides, 'outputs'))
  }
  const copy = copyNewBytes({ transcript: binding.transcript, journal })
  // Whoever it was that found the transcript rewritten.
  const live = readBinding(ws.local, binding.client, binding.native_id)?.segments.at(-1)
  if (live !== undefined && live.to === undefined && live.journal !== copy.generation)
    updateBinding(ws.local, binding.client, binding.native_id, (one) =>
      one === undefined ? undefined : followRestarts(one, listGenerations(journal), ws.environment.now()),
    )
  return copy
}

/**
 * Of a client whose transcripts we write ourselves, and that was killed: takes over what the client still has. May
 * take seconds. What it does not give out is logged; what was recorded stands.
 */
export function refreshKilled(ws: Workspace, binding: Pick<Binding, 'client' | 'native_id' | 'transcript'>) {
  const { client, native_id: nativeId, transcript } = binding
  // Without one it was never recorded.
  if (!existsSync(transcript)) return
  try {
    clientOf(client).sessions.refresh?.(ws.environment, { nativeId, transcript, cwd: ws.root })
  } catch (error) {
    writeLog(ws.local, `refreshing ${nativeId}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Copies the same of a session that has ended: what it wrote after that still belongs to what was live in it. */
export function catchUpEnded(ws: Workspace, binding: Binding): void {
  if (binding.segments.at(-1)?.ended_by !== 'session-end') return
  const copy = catchUp(ws, binding)
  updateBinding(ws.local, binding.client, binding.native_id, (one) => one && extendEnded(one, copy))
}

function rawTranscript(ws: Workspace, binding: Binding, bytes: Uint8Array, segment: Segment): RawTranscript {
  const sides = journalSideFolder(ws.local, binding.client, binding.native_id)
  return {
    nativeId: binding.native_id,
    bytes,
    from: segment.from,
    ...(segment.to === undefined ? {} : { to: segment.to }),
    sides: listSideFiles(sides),
    side: (path) => readSideFile(sides, path),
  }
}

function prepare(
  ws: Workspace,
  binding: Binding,
  segment: Segment,
  reading: Reading,
  end: number,
): SegmentContent {
  const redacted: Record<string, number> = {}
  const ready = (messages: Reading['messages']) =>
    boundContents(
      ws.config.redact ? redactMessages(messages, redacted) : messages,
      { toolOutput: ws.config.capture.toolOutput, inline: ws.config.capture.maxInline },
      reading.blobs,
    )
  const said = ready(reading.messages)
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
    end,
    settled: reading.facts.settled,
  }
}

/** Undefined where no server is configured, so that there are no tools to know of. */
function whyMoreTools(ws: Workspace, client: string): string | undefined {
  const { name, tools } = clientOf(client)
  const servers = tools.mcpServers?.(ws.environment, ws.root) ?? []
  return servers.length === 0
    ? undefined
    : `${name} names only the tools that were used; servers: ${servers.join(', ')}`
}
