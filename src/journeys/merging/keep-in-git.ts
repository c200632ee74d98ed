import type { SessionFile } from '../../session/schema.ts'
import { commitMessage, commitObstacle, commitPaths } from '../../workspace/git/commit.ts'
import { hasStaged, stage } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'

/** Where a settled change is: in a commit of its own, staged for the person's commit, or only in files. */
export type Kept = 'committed' | 'staged' | 'on disk'

/**
 * Makes one commit of everything that was settled, so that the next pull finds a clean work tree. The paths are only
 * staged if git is in the middle of something (a merge, a rebase, a cherry-pick and the like), HEAD is detached, some
 * paths are staged already, the settings do not allow the commit, or git did not make it. Never throws.
 */
export async function keepInGit(
  ws: Workspace,
  conversations: readonly SessionFile[],
  paths: readonly string[],
): Promise<Kept> {
  const { root, environment, config } = ws
  if (paths.length === 0) return 'on disk'
  try {
    const obstacle = await commitObstacle(root, environment.env)
    const begun = obstacle !== undefined || (await hasStaged(root, environment.env, paths))
    if (!begun && config.commit === 'auto') {
      const message = (changed: readonly string[]) =>
        commitMessage({ ...named(conversations), paths: changed })
      const timeout = COMMIT_TIMEOUT_MS
      const outcome = await commitPaths({ root, env: environment.env, paths, message, hooks: false, timeout })
      if ('committed' in outcome) return 'committed'
    }
    await stage(root, environment.env, paths)
    return 'staged'
  } catch {
    // Git failed. The files are settled on disk, and the person's next commit will have them.
    return 'on disk'
  }
}

/** Long, because git compares each file with each path that it was given. */
const COMMIT_TIMEOUT_MS = 600_000

function named([one, ...others]: readonly SessionFile[]): { type: string; title: string } {
  if (one !== undefined && others.length === 0) return { type: one.conversation_type, title: one.title }
  const title = one === undefined ? 'after a merge' : `${others.length + 1} conversations after a merge`
  return { type: 'several', title }
}
