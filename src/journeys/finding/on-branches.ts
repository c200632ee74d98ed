import { dirname } from 'node:path'
import { CortextError } from '../../errors.ts'
import { statInside } from '../../io/inside.ts'
import { indexEntryOf } from '../../session/index-entry.ts'
import { SessionFile } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { hasRecordCopy } from '../../store/machine/copies.ts'
import { type OnOtherBranch, readBranches, writeBranches } from '../../store/machine/git-checks.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { parseJson } from '../../text/json.ts'
import { paste } from '../../text/paste.ts'
import { branchesStamp } from '../../workspace/git/index-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { called } from './find.ts'
import type { Listed } from './list.ts'

/**
 * Conversations of a shared workspace that are on other branches and not in the work tree, the last active one first.
 * Starts git only when a branch has changed since the last call. None where git fails.
 */
export async function onOtherBranches(ws: Workspace): Promise<OnOtherBranch[]> {
  const stamp = ws.config.visibility === 'shared' ? branchesStamp(ws.root) : undefined
  if (stamp === undefined) return []
  const known = readBranches(ws.local, ws.root)
  const found = known?.stamp === stamp ? known.found : await lookAtBranches(ws)
  if (found !== known?.found && ws.keepIndex) writeBranches(ws.local, ws.root, { stamp, found })
  return found.filter(({ path }) => statInside(ws.root, `${path}/${RECORD.session}`) === undefined)
}

async function lookAtBranches(ws: Workspace): Promise<OnOtherBranch[]> {
  const folders = [...new Set([...ws.types.values()].map(({ folder }) => folder))]
  // Lists must be fast, and load no git.
  const { filesOnBranches } = await import('../../workspace/git/other-branches.ts')
  const files = await filesOnBranches(ws, folders, RECORD.session).catch(() => [])
  return files
    .flatMap(({ branch, path, text }): OnOtherBranch[] => {
      const session = SessionFile.safeParse(parseJson(text))
      if (!session.success) return []
      const { title, last_active: lastActive, message_count: messages } = indexEntryOf(session.data)
      return [{ branch, path: dirname(dirname(path)), title, lastActive, messages }]
    })
    .sort((a, b) => (a.lastActive < b.lastActive ? 1 : -1))
}

/** The command that brings a conversation of another branch into the work tree. */
export function bringing({ branch, path }: OnOtherBranch): string {
  return paste`git restore --source=${branch} -- ${path}`
}

/**
 * Throws `not-found` if the words of a conversation are on another branch: its folder is not in the work tree, and no
 * journal or copy of this machine has them.
 */
export async function checkInReach(ws: Workspace, one: Listed): Promise<void> {
  if (statInside(ws.root, `${one.path}/${RECORD.session}`) !== undefined) return
  if (segmentsOf(ws.local, one.path, ws).some(({ segment }) => segment.tidied !== true)) return
  if (hasRecordCopy(ws.local, one.path)) return
  const found = (await onOtherBranches(ws)).find(({ path }) => path === one.path)
  if (found === undefined) return
  throw new CortextError('not-found', `${called(one)} is on ${found.branch}, and not in this work tree`, {
    fix: bringing(found),
  })
}
