import { lastCommit, readPlace } from '../../store/machine/place.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * When the last sync ended ('never' if none has), if the history of the workspace has got a commit since. Undefined if
 * all of it was sent, or nobody has named a place. Starts no git.
 */
export function unsentSince({ local }: Pick<Workspace, 'local'>): Date | 'never' | undefined {
  const place = readPlace(local)
  if (place === undefined || place.sent === lastCommit(local)) return undefined
  return place.at === undefined ? 'never' : new Date(place.at)
}
