import { inHistory } from '../../conversation/keeping/open-history.ts'
import { BRANCH, commitAt, contentsOf, type OwnRepository } from '../../workspace/git/own-repository.ts'
import { BASE, commonCommit, FETCHED, JOINED, NEXT, setRef } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { REGISTRY } from '../../workspace/registry.ts'
import { whyNoRegistry } from './in-the-way.ts'
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

/**
 * Reads the three histories that are joined. A registry of the place that is not taken stays as it is on both sides.
 * Throws `refused`, `locked` and git's errors.
 */
export function sidesOf(ws: Workspace): Sides {
  const ours = sideIn(ws, BRANCH)
  const [theirs, base] = [FETCHED, BASE].map((ref) => sideIn(ws, ref, ours)) as [Side, Side]
  const problem = whyRegistryStays(ws, ours, theirs)
  if (problem !== undefined) {
    for (const { settings } of [ours, theirs, base]) settings.delete(REGISTRY)
    theirs.unread.push({ file: REGISTRY, problem })
  }
  return { base, ours, theirs }
}

function whyRegistryStays(ws: Workspace, ours: Side, theirs: Side): string | undefined {
  const blob = theirs.settings.get(REGISTRY)
  let problem: string | undefined
  if (blob === undefined || blob === ours.settings.get(REGISTRY)) return undefined
  inHistory(ws, {}, (repository) => {
    const [bytes] = contentsOf(repository, [{ path: REGISTRY, blob }])
    problem = whyNoRegistry(ws, bytes!.toString('utf8'))
  })
  return problem
}

/** Reads one of the histories in the repository of a workspace; `known` as for `sideOf`. Throws as `sidesOf`. */
export function sideIn(ws: Workspace, ref: string, known?: Side): Side {
  let side: Side | undefined
  inHistory(ws, {}, (repository) => {
    const commit = commitAt(repository, ref)
    const read = READ.get(ws) ?? new Map<string, Side>()
    const key = `${commit} ${known?.commit}`
    const found = read.get(key) ?? { ...sideOf(repository, ref, known), commit }
    READ.set(ws, read.set(key, found))
    const { conversations, settings, files, unread } = found
    side = {
      ...{ commit, unread: [...unread] },
      ...{ conversations: new Map(conversations), settings: new Map(settings), files: new Map(files) },
    }
  })
  return side ?? { conversations: new Map(), settings: new Map(), files: new Map(), unread: [] }
}

/** What was read of a commit. It never changes, and a sync looks at it several times. */
const READ = new WeakMap<Workspace, Map<string, Side>>()
