import { inHistory } from '../../conversation/keeping/open-history.ts'
import type { Gone, PlaceNote } from '../../store/machine/place.ts'
import type { OwnRepository } from '../../workspace/git/own-repository.ts'
import { commonCommit, FETCHED, JOINED, setRef } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { knowsMore } from './erase.ts'

/**
 * Whether the branch of the place has not grown out of what was joined last. Then somebody has put it back to an earlier
 * state. Where another machine has erased something, its history was made anew.
 */
export function wasPutBack(
  repository: OwnRepository,
  place: PlaceNote,
  there: string | undefined,
  news: Gone,
): boolean {
  if (there === undefined || place.joined === undefined) return false
  return commonCommit(repository, place.joined, FETCHED) !== place.joined && !knowsMore(news, place)
}

/** What both sides had before each went on is what their histories have in common; without it, all of both stays. */
export function noteCommonBase(ws: Workspace, repository: OwnRepository, { joined }: PlaceNote): void {
  inHistory(ws, {}, () => setRef(repository, JOINED, commonCommit(repository, joined!, FETCHED)))
}
