import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readerOf } from '../clients/index.ts'
import { ensureLocalFolder, journalPath, journalSideFolder } from '../store/layout.ts'
import {
  type Binding,
  followRestarts,
  mayGrow,
  readBinding,
  updateBinding,
} from '../store/machine/binding.ts'
import { copyNewBytes, type JournalCopy, listGenerations } from '../store/machine/journal/journal.ts'
import { copySideFiles } from '../store/machine/journal/side-files.ts'
import { segmentsOf } from '../store/machine/list-bindings.ts'
import { writeLog } from '../store/machine/log.ts'
import type { Workspace } from '../workspace/open.ts'
import { sideSources, transcriptOf } from './own-transcript.ts'
import { extendToTurnEnd } from './segments/running-turn.ts'
import { partsBefore } from './transcript-bytes.ts'

type Native = Pick<Binding, 'client' | 'native_id' | 'transcript'>

/**
 * Copies what is new in the transcript and its side files into the journal. When the client has rewritten the
 * transcript, a live segment moves to the new generation. Throws `disk-full`, `unwritable`, `unreadable` or
 * `unsafe-path`.
 */
export function catchUp(ws: Workspace, binding: Native): JournalCopy {
  return catchUpFrom(ws, { ...binding, transcript: transcriptOf(ws, binding) })
}

/** Like `catchUp`, but for a transcript that the person has named: it may be anywhere. */
export function catchUpFrom(ws: Workspace, binding: Native): JournalCopy {
  const journal = journalPath(ws.local, binding.client, binding.native_id)
  ensureLocalFolder(ws.local, join(journal, '..'))
  const sides = journalSideFolder(ws.local, binding.client, binding.native_id)
  copySideFiles(sideSources(binding), sides)
  const copy = copyNewBytes({
    transcript: binding.transcript,
    before: partsBefore(binding),
    journal,
  })
  // This process may be the first to notice that the client has rewritten the transcript.
  const live = readBinding(ws.local, binding.client, binding.native_id)?.segments.at(-1)
  if (live !== undefined && live.to === undefined && live.journal !== copy.generation)
    updateBinding(ws.local, binding.client, binding.native_id, (stored) =>
      stored === undefined
        ? undefined
        : followRestarts(stored, listGenerations(journal), ws.environment.now()),
    )
  return copy
}

/**
 * Catches up a session if its last segment has ended but may still grow. What the client wrote after the end then
 * belongs to that segment; see extendToTurnEnd. Throws what catchUp throws.
 */
export function catchUpEnded(ws: Workspace, binding: Binding): void {
  if (!mayGrow(binding.segments.at(-1))) return
  const copy = catchUp(ws, binding)
  const journal = journalPath(ws.local, binding.client, binding.native_id)
  updateBinding(
    ws.local,
    binding.client,
    binding.native_id,
    (stored) =>
      stored &&
      extendToTurnEnd(ws, followRestarts(stored, listGenerations(journal), ws.environment.now()), copy),
  )
}

/**
 * Catches up every session whose live or last segment belongs to the conversation. Publishing does this before it
 * reads. Throws what catchUp throws.
 */
export function catchUpConversation(ws: Workspace, path: string): void {
  for (const { binding, segment } of segmentsOf(ws.local, path))
    if (segment.to === undefined) catchUp(ws, binding)
    else if (segment === binding.segments.at(-1)) catchUpEnded(ws, binding)
}

/**
 * Updates the transcript of a killed client from the client's own store, if cortext writes that client's transcripts.
 * This may take seconds. A failure is logged, and what was recorded stays.
 */
export function refreshKilled(ws: Workspace, binding: Native): void {
  const { client, native_id: nativeId } = binding
  const transcript = transcriptOf(ws, binding)
  // A session without a transcript was never recorded.
  if (!existsSync(transcript)) return
  try {
    readerOf(client).sessions.refresh?.(ws.environment, { nativeId, transcript, cwd: ws.root })
  } catch (error) {
    writeLog(ws.local, `refreshing ${nativeId}: ${error instanceof Error ? error.message : error}`)
  }
}
