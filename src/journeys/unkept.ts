import type { NativeSession } from '../clients/client.ts'
import { clientList } from '../clients/index.ts'
import type { Place } from '../io/place.ts'
import { listBindings } from '../store/bindings.ts'
import { listConversations } from './list.ts'
import type { Workspace } from './open.ts'

/** Native sessions of this folder that no conversation holds, of every client, newest first. Reads heads only. */
export function unkeptSessions(place: Place, ws: Workspace | undefined): NativeSession[] {
  const kept = new Set(ws === undefined ? [] : keptIds(ws))
  return clientList()
    .flatMap((client) => client.locate(place, place.cwd))
    .filter((one) => !kept.has(`${one.client} ${one.nativeId}`))
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

function keptIds(ws: Workspace): string[] {
  const here = listBindings(ws.local).map(({ client, native_id }) => `${client} ${native_id}`)
  const elsewhere = listConversations(ws).conversations.flatMap(({ native }) =>
    native.map(({ client, native_id }) => `${client} ${native_id}`),
  )
  return [...here, ...elsewhere]
}
