import { inHistory } from '../../conversation/keeping/open-history.ts'
import { RECORD } from '../../store/layout.ts'
import { type Gone, isDeleted, markOf } from '../../store/machine/place.ts'
import {
  BRANCH,
  commitAt,
  commitsBeforeChanges,
  contentsOf,
  type OwnRepository,
} from '../../workspace/git/own-repository.ts'
import { APART, BASE, commonCommit, FETCHED, JOINED, NEXT, setRef } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { REGISTRY } from '../../workspace/registry.ts'
import { whyNoRegistry } from './in-the-way.ts'
import { isSame } from './plan.ts'
import { type Sent, type Side, type Sides, sideOf } from './sides.ts'

/**
 * Notes as `BASE` what both sides had before each went on. If the place, as it was fetched, `hasGrown` out of what was
 * joined last, that is the base. Otherwise somebody has put the place back to an earlier state, or another machine has
 * sent at the same moment: then it is the last commit that the histories have in common. Without one there is no base,
 * and each word of both sides stays.
 */
export function noteBase(repository: OwnRepository, hasGrown: boolean): void {
  const joined = commitAt(repository, JOINED) === undefined ? undefined : JOINED
  setRef(repository, BASE, hasGrown ? joined : commonCommit(repository, FETCHED, [JOINED, NEXT]))
}

/**
 * Reads the three histories that are joined. A registry of the place that is not taken stays as it is on both sides.
 * Throws `refused`, `locked` and git's errors.
 */
export function sidesOf(ws: Workspace): Sides {
  const ours = oursIn(ws)
  const [theirs, base] = [FETCHED, BASE].map((ref) => sideIn(ws, ref, ours)) as [Side, Side]
  // Of what was not joined, this machine never had the version of the base: each word of both sides stays.
  for (const origin of base.commit === undefined || base.commit === joinedAt(ws) ? [] : notJoinedIn(ws))
    base.conversations.delete(origin)
  const problem = whyRegistryStays(ws, ours, theirs)
  if (problem !== undefined) {
    for (const { settings } of [ours, theirs, base]) settings.delete(REGISTRY)
    theirs.unread.push({ file: REGISTRY, problem })
  }
  return { base, ours, theirs }
}

/**
 * What this machine and the place both had and the place no longer has, though nobody has deleted it, as it was there last:
 * somebody has removed or spoilt it with git. It may have words that another machine had sent, and this one does not have.
 */
export function removedThere(ws: Workspace, { base, ours, theirs }: Sides, gone: Gone): Map<string, Sent> {
  const removed = new Map<string, Sent>()
  const missing = new Set(
    [...ours.conversations.keys()].filter(
      (origin) =>
        base.conversations.has(origin) &&
        !theirs.conversations.has(origin) &&
        !theirs.unnamed.has(origin) &&
        !isDeleted(gone, markOf(origin)),
    ),
  )
  if (missing.size === 0) return removed
  inHistory(ws, {}, (repository) => {
    for (const commit of commitsBeforeChanges(repository, JOINED, FETCHED, RECORD.session)) {
      const { conversations } = sideOf(repository, commit, ours)
      for (const origin of missing) {
        const one = conversations.get(origin)
        if (one !== undefined && missing.delete(origin)) removed.set(origin, one)
      }
      if (missing.size === 0) break
    }
  })
  return removed
}

/**
 * What this machine has. Of a conversation whose folder somebody has copied, the folder counts that was joined last. Throws
 * as `sidesOf`.
 */
export function oursIn(ws: Workspace): Side {
  return sideIn(ws, BRANCH, sideIn(ws, JOINED))
}

function joinedAt(ws: Workspace): string | undefined {
  return sideIn(ws, JOINED).commit
}

/** The origins of the conversations that were not joined when `JOINED` was made. */
function notJoinedIn(ws: Workspace): string[] {
  const [joined, sent] = [JOINED, APART].map((ref) => sideIn(ws, ref).conversations)
  return [...sent!].flatMap(([origin, one]) => (isSame(one, joined!.get(origin)) ? [] : [origin]))
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

/**
 * Reads one of the histories in the repository of a workspace: an empty side if there is no repository. The caller may
 * change what it gets. `known` as for `sideOf`. Throws as `sidesOf`.
 */
export function sideIn(ws: Workspace, ref: string, known?: Side): Side {
  let side: Side = {
    conversations: new Map(),
    settings: new Map(),
    files: new Map(),
    unread: [],
    unnamed: new Map(),
  }
  inHistory(ws, {}, (repository) => {
    const commit = commitAt(repository, ref)
    const read = READ.get(ws) ?? new Map<string, Side>()
    const key = `${commit} ${known?.commit}`
    side = read.get(key) ?? { ...sideOf(repository, ref, known), commit }
    READ.set(ws, read.set(key, side))
  })
  return {
    ...side,
    conversations: new Map(side.conversations),
    settings: new Map(side.settings),
    files: new Map(side.files),
    unread: [...side.unread],
    unnamed: new Map(side.unnamed),
  }
}

/** What was read of a commit. It never changes, and a sync looks at it several times. */
const READ = new WeakMap<Workspace, Map<string, Side>>()
