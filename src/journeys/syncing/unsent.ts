import { gitSeesRecord } from '../../conversation/held.ts'
import { hasStopped, lastCommit, readPlace } from '../../store/machine/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { personalPlace } from '../../workspace/personal-place.ts'

/**
 * When the last sync ended ('never' if none has), if the history of the workspace has got a commit since. Undefined if
 * all of it was sent, or there is no place for it. Throws `unreadable`. Starts no git.
 */
export function unsentSince(ws: Workspace): Date | 'never' | undefined {
  const [place, last] = [readPlace(ws.local), lastCommit(ws.local)]
  if (last === undefined || place?.sent === last) return undefined
  if (place === undefined && awaitedPlace(ws) === undefined) return undefined
  return place?.at === undefined ? 'never' : new Date(place.at)
}

/**
 * The address of the person's place for all private workspaces, if a workspace is one of them and no sync has been
 * there yet. Throws `unreadable`.
 */
export function awaitedPlace(ws: Workspace): string | undefined {
  if (readPlace(ws.local) !== undefined || hasStopped(ws.local) || gitSeesRecord(ws)) return undefined
  return personalPlace(ws.environment)?.address
}
