import { isFileInside } from '../../io/inside.ts'
import type { SessionFile } from '../../session/schema.ts'
import { conversationTrailer } from '../../session/shell/commits.ts'
import { readMergeCheck, writeMergeCheck } from '../../store/machine/git-checks.ts'
import {
  type CommitOutcome,
  type CommitRequest,
  commitMessage,
  commitPaths,
} from '../../workspace/git/commit.ts'
import { indexStamp } from '../../workspace/git/index-lock.ts'
import type { Workspace } from '../../workspace/open.ts'
import { promptPath } from '../../workspace/pack/commands.ts'
import type { Published } from '../publishing/write.ts'

/**
 * Makes one commit with the conversation's document and its `.session/`. `hooks` says whether git's hooks run; it is
 * false for a commit that no person asked for. Never throws: the outcome says why there is no commit.
 */
export async function commitConversation(
  ws: Workspace,
  { path, session }: Published,
  { hooks = true, onWaiting }: Pick<CommitRequest, 'hooks' | 'onWaiting'> = {},
): Promise<CommitOutcome> {
  const check = readMergeCheck(ws.local, ws.root)
  const isCurrent = check !== undefined && check.stamp === indexStamp(ws.root)
  const trailer = conversationTrailer(path)
  const outcome = await commitPaths({
    hooks,
    onWaiting,
    root: ws.root,
    environment: ws.environment,
    // The commit includes the snapshot of the command, because session.json names it by hash.
    paths: [path, ...promptOf(ws, session)],
    message: (paths) =>
      commitMessage({ type: session.conversation_type, title: session.title, paths, trailer }),
  })
  // Our own commit merges nothing. So the last check for merged conversations (`readMergeCheck`) stays valid if it was
  // current.
  const stamp = indexStamp(ws.root)
  if (isCurrent && stamp !== undefined && 'committed' in outcome)
    writeMergeCheck(ws.local, ws.root, { ...check, stamp, head: outcome.committed })
  return outcome
}

function promptOf(ws: Workspace, { agent_config: agent }: SessionFile): string[] {
  const path = promptPath(agent.system_prompt_hash)
  return path !== undefined && isFileInside(ws.root, path) ? [path] : []
}
