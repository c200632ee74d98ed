import type { Client } from '../../clients/contract/client.ts'
import { clientList } from '../../clients/index.ts'
import { readManifest } from '../../workspace/pack/manifest.ts'

/** Returns the clients for which a workspace is set up on this machine. Throws `corrupt` if the manifest is not valid. */
export function setUpClients({ root, local }: { root: string; local: string }): Client[] {
  const { rendered } = readManifest(root, local)
  return clientList().filter(({ id }) => rendered[id] !== undefined)
}
