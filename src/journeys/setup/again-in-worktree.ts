import { clientList } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { COME_BACK, withLock } from '../../store/machine/locks/lock.ts'
import { keptFor, localDir } from '../../workspace/local-folder.ts'
import { clientsElsewhere, readManifest } from '../../workspace/pack/manifest.ts'
import { findRoot } from '../../workspace/root.ts'
import { install } from './install.ts'

/**
 * Makes the workspace around `folder` again, in a work tree of a repository in which this machine has made a private
 * one: git does not bring it into a new worktree, and `git clean -x` removes it. Does what `init` does, for the clients
 * that are set up here or in other worktrees. Returns the root, also if another process has made it meanwhile; undefined
 * if there is none.
 */
export async function comeBack(environment: Environment, folder: string): Promise<string | undefined> {
  const root = keptFor(folder, environment)
  if (root === undefined) return undefined
  try {
    const local = localDir(root, environment)
    // Two clients may open in a new worktree at once.
    await withLock(local, COME_BACK, async () => {
      if (findRoot(folder) !== undefined) return
      const ids = new Set([
        ...Object.keys(readManifest(root, local).rendered),
        ...clientsElsewhere(root, local),
      ])
      await install(environment, { dir: root, clients: clientList().filter(({ id }) => ids.has(id)) })
    })
    return root
  } catch (error) {
    // The sandbox of an agent may forbid it. Then there is no workspace.
    if (!(error instanceof CortextError)) throw error
    return undefined
  }
}
