import { gitSeesRecord } from '../../conversation/held-back.ts'
import { isLocked } from '../../store/machine/locks/lock.ts'
import { hasStopped, lastCommit, readPlace, SYNC_LOCK } from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import type { Workspace } from '../../workspace/open.ts'
import { personalPlace } from '../../workspace/personal-place.ts'

/**
 * When the last sync ended ('never' if none has), if something was saved or redacted since, turns of agent loops too.
 * Undefined if all of it was sent, or there is no place for it. Throws `unreadable`. Starts no git.
 */
export function unsentSince(ws: Workspace): Date | 'never' | undefined {
  const place = readPlace(ws.local)
  if (place === undefined && awaitedPlace(ws) === undefined) return undefined
  // One that is ahead is of a clock that was wrong.
  const isPast = place?.at !== undefined && Date.parse(place.at) <= ws.environment.now().getTime()
  const at = isPast ? new Date(place.at!) : undefined
  const last = lastCommit(ws.local)
  // `tidies`: a redaction, or a change of keys, has still to reach the place.
  const isSent = place?.tidies !== true && (last === undefined || last === place?.sent)
  return !isSent || hasLoopSince(ws, at) ? (at ?? 'never') : undefined
}

/** Whether an agent loop has gone on since. Its turns are in no commit before the next save or sync. */
function hasLoopSince(ws: Workspace, at: Date | undefined): boolean {
  return scanConversations(ws.root, ws.local, ws).some(
    ({ session, mtimeMs }) =>
      session?.key !== undefined && session.keep_here !== true && mtimeMs > (at?.getTime() ?? 0),
  )
}

/** Whether a process of this machine syncs this workspace now, or deletes or redacts in it. */
export function isSyncing({ local }: Workspace): boolean {
  return isLocked(local, SYNC_LOCK)
}

/** The address of the place, even if no sync has been there. Throws `unreadable`. */
export function addressOfPlace(ws: Workspace): string | undefined {
  return readPlace(ws.local)?.address ?? awaitedPlace(ws)
}

/** The address of the place, if a sync has ever been there. Throws `unreadable`. */
export function sentTo({ local }: Workspace): string | undefined {
  const place = readPlace(local)
  return place?.joined === undefined ? undefined : place.address
}

/**
 * The address of the person's place for all private workspaces, if a workspace is one of them and no sync has been
 * there yet. Throws `unreadable`.
 */
export function awaitedPlace(ws: Workspace): string | undefined {
  if (readPlace(ws.local) !== undefined || hasStopped(ws.local) || gitSeesRecord(ws)) return undefined
  return personalPlace(ws.environment)?.address
}
