import { dirname } from 'node:path'
import { statInside } from '../../io/inside.ts'
import { indexEntryOf } from '../../session/index-entry.ts'
import { SessionFile } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { type OnOtherBranch, readBranches, writeBranches } from '../../store/machine/git-checks.ts'
import { parseJson } from '../../text/json.ts'
import { branchesStamp } from '../../workspace/git/index-lock.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Conversations of a shared workspace that are on other branches and not in the work tree, the last active one first.
 * Starts git only when a branch, or the folders of the types, have changed since the last call. None where git fails.
 */
export async function onOtherBranches(ws: Workspace): Promise<OnOtherBranch[]> {
  const branches = ws.config.visibility === 'shared' ? branchesStamp(ws.root) : undefined
  if (branches === undefined) return []
  const folders = [...new Set([...ws.types.values()].map(({ folder }) => folder))]
  const stamp = [branches, ...folders].join('\n')
  const known = readBranches(ws.local, ws.root)
  const isKnown = known?.stamp === stamp
  const found = isKnown ? known.found : await lookAtBranches(ws, folders)
  if (found === undefined) return []
  if (!isKnown && ws.mayWrite) writeBranches(ws.local, ws.root, { stamp, found })
  return found.filter(({ path }) => statInside(ws.root, `${path}/${RECORD.session}`) === undefined)
}

/** Undefined if git fails. */
async function lookAtBranches(
  ws: Workspace,
  folders: readonly string[],
): Promise<OnOtherBranch[] | undefined> {
  // Lists must be fast, and load no git.
  const { filesOnBranches } = await import('../../workspace/git/other-branches.ts')
  const files = await filesOnBranches(ws, folders, RECORD.session).catch(() => undefined)
  return files
    ?.flatMap(({ branch, path, text }): OnOtherBranch[] => {
      const session = SessionFile.safeParse(parseJson(text))
      if (!session.success) return []
      const { title, last_active: lastActive, message_count: messages } = indexEntryOf(session.data)
      return [{ branch, path: dirname(dirname(path)), title, lastActive, messages }]
    })
    .sort((a, b) => (a.lastActive < b.lastActive ? 1 : -1))
}
