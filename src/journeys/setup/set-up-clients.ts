import type { Client } from '../../clients/contract/client.ts'
import { clientList } from '../../clients/index.ts'
import { readManifest } from '../../workspace/pack/manifest.ts'

/** Returns the clients for which a workspace is set up. Throws `corrupt` if the manifest is not valid. */
export function setUpClients(root: string): Client[] {
  const { rendered } = readManifest(root)
  return clientList().filter(({ id }) => rendered[id] !== undefined)
}
