import { COME_BACK, isLocked } from '../../store/machine/locks/lock.ts'
import type { Workspace } from '../../workspace/open.ts'
import { hasClients, hasPersonal } from '../../workspace/pack/manifest.ts'

/**
 * Whether clients are set up for a workspace on this machine, or another process does it now: the first one in a new
 * worktree.
 */
export function isSetUpOrBegun({ root, local, environment }: Workspace): boolean {
  const isSetUp = () => hasClients(root, local) || hasPersonal(environment)
  // The other process may have ended between the two looks.
  return isSetUp() || isLocked(local, COME_BACK) || isSetUp()
}
