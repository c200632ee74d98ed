import { join } from 'node:path'
import { clientList, clientOf } from '../clients/index.ts'
import { type Binding, liveStretch, readBinding, readTurnMark, type Stretch } from '../store/binding.ts'
import { findHost } from '../store/host.ts'
import { readJournal } from '../store/journal.ts'
import { localFiles } from '../store/layout.ts'
import type { Workspace } from './open.ts'
import { catchUp } from './read-stretch.ts'

/** A native session by name: which client's, under which id, and where its transcript lies. */
export interface NativeName {
  client: string
  nativeId: string
  /** '' where it is not known: it is looked for. */
  transcript: string
  /** Offset at which the running turn begins, where the client's hooks have noted it. */
  turn?: number
}

/** A native session with its journal brought up to date. */
export interface NativeHere extends NativeName {
  /** Journal generation, and the offset in it where the turn that is now running begins. */
  journal: string
  turn: number
  /** Where the last turn begins that a hook has marked; as `turn` where none has. */
  marked: number
  /** Size of the journal. */
  size: number
  binding: Binding | undefined
  live: Stretch | undefined
}

/**
 * Which native session started this process, by the variables of a client, else by a note of its hooks about a
 * process around this one; undefined when none did.
 */
export function nativeSession(ws: Workspace): NativeName | undefined {
  for (const client of clientList()) {
    const nativeId = client.insideOf(ws.place.env)
    if (nativeId !== undefined) return { client: client.id, nativeId, transcript: '' }
  }
  const host = findHost(ws.local, process.pid)
  if (host === undefined) return undefined
  const { client, native_id: nativeId, transcript = '', turn } = host
  return { client, nativeId, transcript, ...(turn === undefined ? {} : { turn }) }
}

/** The native session that started this process, its journal brought up to date; undefined when none did. */
export function nativeHere(ws: Workspace): NativeHere | undefined {
  const session = nativeSession(ws)
  return session === undefined ? undefined : nativeOf(ws, session)
}

/** The same, of a session that is known by name. */
export function nativeOf(ws: Workspace, name: NativeName): NativeHere {
  const { client, nativeId } = name
  const transcript =
    name.transcript ||
    readBinding(ws.local, client, nativeId)?.transcript ||
    clientOf(client).transcriptPath(ws.place, ws.place.cwd, nativeId)
  const { generation, size } = catchUp(ws, { client, transcript, native_id: nativeId })
  const binding = readBinding(ws.local, client, nativeId)
  const live = binding === undefined ? undefined : liveStretch(binding)
  const mark = readTurnMark(ws.local, client, nativeId)
  const found = Math.min(name.turn ?? turnStart(ws, name, generation), size)
  // Hooks mark the turn in sessions that are bound; in others the transcript itself has to tell.
  const marked = live !== undefined && mark !== undefined ? Math.min(mark.offset, size) : found
  // A mark of an earlier turn must cut nothing off: hooks may be gone, or have marked another stretch.
  const turn = Math.max(marked, found)
  return { client, nativeId, transcript, journal: generation, marked, turn, size, binding, live }
}

function turnStart(ws: Workspace, { client }: NativeName, generation: string): number {
  return clientOf(client).turnStart(readJournal(join(localFiles(ws.local).journal, client, generation)))
}
