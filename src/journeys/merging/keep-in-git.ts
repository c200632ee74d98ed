import type { SessionFile } from '../../session/schema.ts'
import { commitMessage, commitObstacle, commitPaths } from '../../workspace/git/commit.ts'
import { hasStaged, stage } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * What keepInGit did with the files. `committed`: they are in a commit of their own. `staged`: they are in the index,
 * for the person's next commit. `on disk`: only the work tree has the changes.
 */
export type Kept = 'committed' | 'staged' | 'on disk'

/**
 * Makes one commit of all files that settleAll has changed, so that the next pull finds a clean work tree. Never
 * throws. Only stages the files in these cases:
 * - A merge, a rebase or the like is in progress.
 * - HEAD is detached.
 * - Some of the files are staged already.
 * - The settings do not allow a commit.
 * - The commit is refused.
 */
export async function keepInGit(
  ws: Workspace,
  conversations: readonly SessionFile[],
  paths: readonly string[],
): Promise<Kept> {
  const { root, environment, config } = ws
  if (paths.length === 0) return 'on disk'
  try {
    const obstacle = await commitObstacle(ws)
    const begun = obstacle !== undefined || (await hasStaged(ws, paths))
    if (!begun && config.commit === 'auto') {
      const message = (changed: readonly string[]) =>
        commitMessage({ ...named(conversations), paths: changed })
      const timeout = COMMIT_TIMEOUT_MS
      const outcome = await commitPaths({ root, environment, paths, message, hooks: false, timeout })
      if ('committed' in outcome) return 'committed'
    }
    await stage(ws, paths)
    return 'staged'
  } catch {
    // Git has failed. The files are on disk, and the person can commit them.
    return 'on disk'
  }
}

/** Long, because git compares each changed file with each of `paths`. */
const COMMIT_TIMEOUT_MS = 600_000

function named([one, ...others]: readonly SessionFile[]): { type: string; title: string } {
  if (one !== undefined && others.length === 0) return { type: one.conversation_type, title: one.title }
  const title = one === undefined ? 'after a merge' : `${others.length + 1} conversations after a merge`
  return { type: 'several', title }
}
