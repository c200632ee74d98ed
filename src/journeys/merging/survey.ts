import { indexEntryOf } from '../../session/index-entry.ts'
import { apartPath } from '../../session/sharing/apart.ts'
import { RECORD } from '../../store/layout.ts'
import { type Left, type MergeCheck, writeMergeCheck } from '../../store/machine/git-checks.ts'
import { writeLog } from '../../store/machine/log.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { changedSince, unmergedFiles } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'
import { followMove } from './follow-move.ts'
import { type Unsettled, unsettledIn } from './unsettled.ts'

/**
 * Lists the work that a merge has left. Looks at the conversations that git has changed since the check `before`, at
 * those that had work then, and at those whose session.json shows work. Without an earlier check, also looks at the
 * newest ones. If `ws.mayWrite` is true, notes the result in the local folder together with `stamp`, the state of
 * git's index. Then it also moves the files in the local folder of conversations that a merge has moved. Rejects with
 * git's error message.
 */
export async function survey(
  ws: Workspace,
  stamp: string,
  before: MergeCheck | undefined,
): Promise<readonly Left[]> {
  const { root, local } = ws
  const { head, paths } = await changedSince(ws, before?.head, [RECORD.session, RECORD.messages])
  // Work that an earlier check found stays until it is done, also if git changes nothing more.
  const changed = new Set([
    ...paths.map((path) => path.replace(/\/\.session\/[^/]*$/, '')),
    ...(before?.left ?? []).map(({ path }) => path),
  ])
  const entries = scanConversations(root, local, ws)
  const first = before?.head === undefined ? newestEntries(entries) : new Set<Entry>()
  const checked = entries.filter(
    (entry) => changed.has(entry.path) || first.has(entry) || showsUnsettled(entry),
  )
  const unmerged = checked.length === 0 ? new Map() : await unmergedFiles(ws, RECORD.session)
  const left = checked.flatMap(({ path, mtimeMs }): Left[] => {
    try {
      const found = unsettledIn(ws, path, { changedByGit: changed.has(path), unmerged })
      // If several conversations share the folder, settleOne calls followMove after it has divided them.
      if (ws.mayWrite && found?.what !== 'apart') followMove(ws, path)
      return found === undefined ? [] : [leftOf(path, mtimeMs, found)]
    } catch (error) {
      writeLog(local, `merge of ${path}: ${error instanceof Error ? error.message : error}`)
      return [{ path, what: 'failed', mtimeMs: 0 }]
    }
  })
  // Another process is settling what is left.
  const begun = before?.begun === true && left.length > 0
  if (ws.mayWrite) writeMergeCheck(local, root, { stamp, head, left, ...(begun ? { begun } : {}) })
  return left
}

/**
 * The 200 newest conversations. The first check in a clone looks at them, because git cannot say then what a merge has
 * changed.
 */
function newestEntries(entries: readonly Entry[]): Set<Entry> {
  const time = ({ session }: Entry) => Date.parse(session?.last_active ?? '') || 0
  return new Set(entries.toSorted((a, b) => time(b) - time(a)).slice(0, FIRST_LOOK_COUNT))
}

const FIRST_LOOK_COUNT = 200

/** Whether a session.json shows that a merge has left work. */
function showsUnsettled({ session, problem }: Entry): boolean {
  return session !== undefined && (session.merged === true || problem !== undefined)
}

function leftOf(path: string, mtimeMs: number, { what, session, conversations }: Unsettled): Left {
  const others = conversations.slice(1).map(({ origin }) => apartPath(path, origin!))
  return { path, what, session: indexEntryOf(session), mtimeMs, ...(others.length > 0 ? { others } : {}) }
}
