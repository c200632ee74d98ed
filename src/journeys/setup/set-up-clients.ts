import type { Client } from '../../clients/contract/client.ts'
import { clientList } from '../../clients/index.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readManifest } from '../../workspace/pack/manifest.ts'
import { personalIds } from '../../workspace/pack/personal.ts'

/**
 * Returns the clients for which a workspace is set up on this machine, by its own files or by the person's own settings.
 * Throws `corrupt` if the manifest is not valid.
 */
export function setUpClients(ws: Pick<Workspace, 'root' | 'local' | 'environment'>): Client[] {
  const personal = personalIds(ws.environment, clientList())
  const own = new Set(clientsSetUpHere(ws))
  return clientList().filter((client) => personal.has(client.id) || own.has(client))
}

/** Returns the clients that `init` has set up in this workspace, also if it needed no files for them. */
export function clientsSetUpHere({ root, local }: { root: string; local: string }): Client[] {
  const { rendered } = readManifest(root, local)
  return clientList().filter(({ id }) => rendered[id] !== undefined)
}

/** Returns the clients whose sessions were bound to a conversation of this workspace on this machine. */
export function usedClients(ws: Workspace): Set<string> {
  return new Set(listBindings(ws.local, ws).map(({ client }) => client))
}
