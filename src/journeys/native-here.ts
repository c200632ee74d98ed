import { join } from 'node:path'
import { clientList } from '../clients/index.ts'
import { type Binding, liveStretch, readBinding, readTurnMark, type Stretch } from '../store/binding.ts'
import { readJournal } from '../store/journal.ts'
import { localFiles } from '../store/layout.ts'
import type { Workspace } from './open.ts'
import { catchUp } from './read-stretch.ts'

/** The native session that this process was started from (a shell call of an agent, or a hook). */
export interface NativeHere {
  client: string
  nativeId: string
  transcript: string
  /** Journal generation, and the offset in it where the turn that is now running begins. */
  journal: string
  turn: number
  /** Size of the journal. */
  size: number
  binding: Binding | undefined
  live: Stretch | undefined
}

/** Undefined when no client started this process. Brings the journal up to date. */
export function nativeHere(ws: Workspace): NativeHere | undefined {
  for (const client of clientList()) {
    const nativeId = client.insideOf(ws.place.env)
    if (nativeId === undefined) continue
    const binding = readBinding(ws.local, client.id, nativeId)
    const transcript = binding?.transcript ?? client.transcriptPath(ws.place, ws.place.cwd, nativeId)
    return at(ws, { client: client.id, nativeId, transcript }, binding)
  }
  return undefined
}

/** The same, of a session that a hook names. */
export function nativeOf(
  ws: Workspace,
  one: { client: string; nativeId: string; transcript: string },
): NativeHere {
  return at(ws, one, readBinding(ws.local, one.client, one.nativeId))
}

function at(
  ws: Workspace,
  one: { client: string; nativeId: string; transcript: string },
  binding: Binding | undefined,
): NativeHere {
  const live = binding === undefined ? undefined : liveStretch(binding)
  const { generation, size } = catchUp(ws, { ...one, native_id: one.nativeId })
  const mark = readTurnMark(ws.local, one.client, one.nativeId)
  // Hooks mark the turn in sessions that are bound; in others the transcript itself has to tell.
  const turn =
    live !== undefined && mark !== undefined ? mark.offset : turnStart(ws, one.client, generation, size)
  return { ...one, journal: generation, turn: Math.min(turn, size), size, binding, live }
}

function turnStart(ws: Workspace, client: string, generation: string, size: number): number {
  const bytes = readJournal(join(localFiles(ws.local).journal, client, generation))
  return (
    clientList()
      .find((one) => one.id === client)
      ?.turnStart(bytes) ?? size
  )
}
