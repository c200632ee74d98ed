import type { Client, NativeSession } from '../clients/client.ts'
import { clientList } from '../clients/index.ts'
import type { Place } from '../io/place.ts'
import { listBindings } from '../store/bindings.ts'
import { listConversations } from './list.ts'
import type { Workspace } from './open.ts'

type Native = { client: string; native_id: string }

/** Native sessions of this folder that no conversation holds, of every client, newest first. Reads heads only. */
export function unkeptSessions(place: Place, ws: Workspace | undefined): NativeSession[] {
  return unkeptBeside(place, place.cwd, clientList(), ws === undefined ? [] : keptIn(ws))
}

/** The same of some clients and a folder, beside sessions that are known to be kept. */
export function unkeptBeside(
  place: Place,
  folder: string,
  clients: readonly Client[],
  kept: readonly Native[],
): NativeSession[] {
  const known = new Set(kept.map(nameOf))
  return clients
    .flatMap((client) => client.locate(place, folder))
    .filter(({ client, nativeId }) => !known.has(nameOf({ client, native_id: nativeId })))
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

function keptIn(ws: Workspace): Native[] {
  return [...listBindings(ws.local), ...listConversations(ws).conversations.flatMap(({ native }) => native)]
}

function nameOf({ client, native_id }: Native): string {
  return `${client} ${native_id}`
}
