import { listBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'

/** Returns the clients whose sessions were bound to a conversation of this workspace on this machine. */
export function usedClients(ws: Workspace): Set<string> {
  return new Set(listBindings(ws.local, ws).map(({ client }) => client))
}
