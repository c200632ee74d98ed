import type { SessionFile } from '../../session/schema.ts'
import { commitMessage, commitObstacle, commitPaths } from '../../workspace/git/commit.ts'
import { hasStaged, stage } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'

/** What git knows of a change: a commit of its own, or it is staged for the commit that the person makes. */
export type Kept = 'committed' | 'staged' | 'on disk'

/**
 * Gives what was settled to git, so that the next pull is not in its way. In the middle of a merge, a rebase or a
 * squash, and where nothing is committed unasked, it is staged: only these paths, and nothing is concluded. Never throws.
 */
export async function keepInGit(
  ws: Workspace,
  session: SessionFile,
  paths: readonly string[],
): Promise<Kept> {
  const { root, environment, config } = ws
  try {
    const obstacle = await commitObstacle(root, environment.env)
    const begun = obstacle !== undefined || (await hasStaged(root, environment.env, paths))
    if (!begun && config.commit === 'auto') {
      const { conversation_type: type, title } = session
      const message = (changed: readonly string[]) => commitMessage({ type, title, paths: changed })
      const outcome = await commitPaths({ root, env: environment.env, paths, message, hooks: false })
      if ('committed' in outcome) return 'committed'
    }
    await stage(root, environment.env, paths)
    return 'staged'
  } catch {
    // Git cannot do it now. The files are as they should be, and the person's next commit has them.
    return 'on disk'
  }
}
