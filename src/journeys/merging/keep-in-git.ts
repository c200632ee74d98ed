import type { SessionFile } from '../../session/schema.ts'
import { commitMessage, commitObstacle, commitPaths } from '../../workspace/git/commit.ts'
import { hasStaged, stage } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'

/** The state of a change in git: it has a commit of its own, or is staged for the commit that the person makes. */
export type Kept = 'committed' | 'staged' | 'on disk'

/**
 * Gives what was settled to git, all of it in one commit, so that the next pull is not in its way. In the middle of a merge, a rebase or a
 * squash, and where nothing is committed unasked, it is staged: only these paths, and nothing is concluded. Never throws.
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
    // Git cannot do it now. The files are as they should be, and the person's next commit has them.
    return 'on disk'
  }
}

/** In milliseconds: git compares each file with each path that it was given. */
const COMMIT_TIMEOUT_MS = 600_000

function named([one, ...others]: readonly SessionFile[]): { type: string; title: string } {
  if (one !== undefined && others.length === 0) return { type: one.conversation_type, title: one.title }
  const title = one === undefined ? 'after a merge' : `${others.length + 1} conversations after a merge`
  return { type: 'several', title }
}
