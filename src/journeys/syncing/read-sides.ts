import { inHistory } from '../../conversation/keeping/open-history.ts'
import { BRANCH, type OwnRepository } from '../../workspace/git/own-repository.ts'
import { BASE, commitAt, commonCommit, FETCHED, JOINED, NEXT, setRef } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Side, type Sides, sideOf } from './sides.ts'

/**
 * Lets `BASE` be what both sides had before each went on. That is what was joined last, if `FETCHED` has grown out of
 * it. Otherwise somebody has put the place back to an earlier state, or another machine has sent at the same moment: then
 * it is the last commit that the histories have in common. Without one, each word of both sides stays.
 */
export function noteBase(repository: OwnRepository, hasGrown: boolean): void {
  const base = hasGrown
    ? commitAt(repository, JOINED) && JOINED
    : commonCommit(repository, FETCHED, [JOINED, NEXT])
  setRef(repository, BASE, base)
}

/** Reads the three histories that are joined. Throws `locked` and git's errors. */
export function sidesOf(ws: Workspace): Sides {
  const [ours, theirs, base] = [BRANCH, FETCHED, BASE].map((ref) => sideIn(ws, ref)) as [Side, Side, Side]
  return { base, ours, theirs }
}

/** Reads one of the histories in the repository of a workspace. Throws as `sidesOf`. */
export function sideIn(ws: Workspace, ref: string): Side {
  let side: Side | undefined
  inHistory(ws, {}, (repository) => {
    side = sideOf(repository, ref)
  })
  return side ?? { conversations: new Map(), settings: new Map(), files: new Map() }
}
