import { join } from 'node:path'
import { clientList, clientOf } from '../clients/index.ts'
import { type Binding, liveStretch, readBinding, readTurnMark, type Stretch } from '../store/binding.ts'
import { readJournal } from '../store/journal.ts'
import { localFiles } from '../store/layout.ts'
import type { Workspace } from './open.ts'
import { catchUp } from './read-stretch.ts'

/** A native session by name: which client's, under which id, and where its transcript lies. */
export interface NativeName {
  client: string
  nativeId: string
  transcript: string
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

/** Which native session started this process; undefined when none did. */
export function nativeSession(ws: Workspace): NativeName | undefined {
  for (const client of clientList()) {
    const nativeId = client.insideOf(ws.place.env)
    if (nativeId === undefined) continue
    const known = readBinding(ws.local, client.id, nativeId)?.transcript
    const transcript = known ?? client.transcriptPath(ws.place, ws.place.cwd, nativeId)
    return { client: client.id, nativeId, transcript }
  }
  return undefined
}

/** The native session that started this process, its journal brought up to date; undefined when none did. */
export function nativeHere(ws: Workspace): NativeHere | undefined {
  const session = nativeSession(ws)
  return session === undefined ? undefined : nativeOf(ws, session)
}

/** The same, of a session that is known by name. */
export function nativeOf(ws: Workspace, name: NativeName): NativeHere {
  const { generation, size } = catchUp(ws, { ...name, native_id: name.nativeId })
  const binding = readBinding(ws.local, name.client, name.nativeId)
  const live = binding === undefined ? undefined : liveStretch(binding)
  const mark = readTurnMark(ws.local, name.client, name.nativeId)
  const found = Math.min(turnStart(ws, name, generation), size)
  // Hooks mark the turn in sessions that are bound; in others the transcript itself has to tell.
  const marked = live !== undefined && mark !== undefined ? Math.min(mark.offset, size) : found
  // A mark of an earlier turn must cut nothing off: hooks may be gone, or have marked another stretch.
  const turn = Math.max(marked, found)
  return { ...name, journal: generation, marked, turn, size, binding, live }
}

function turnStart(ws: Workspace, { client }: NativeName, generation: string): number {
  return clientOf(client).turnStart(readJournal(join(localFiles(ws.local).journal, client, generation)))
}
