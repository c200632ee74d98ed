import { inHistory } from '../../conversation/keeping/open-history.ts'
import { BRANCH, type OwnRepository } from '../../workspace/git/own-repository.ts'
import { FETCHED, JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Side, type Sides, sideOf } from './sides.ts'

/** Reads the three histories that are joined. Throws `locked` and git's errors. */
export function sidesOf(ws: Workspace, repository: OwnRepository): Sides {
  const sides: Side[] = []
  inHistory(ws, {}, () => {
    for (const ref of [BRANCH, FETCHED, JOINED]) sides.push(sideOf(repository, ref))
  })
  const [ours, theirs, base] = sides as [Side, Side, Side]
  return { base, ours, theirs }
}
