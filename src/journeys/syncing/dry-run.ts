import { changedSinceHistory } from '../../conversation/keeping/history.ts'
import { filesOfConversation } from '../../conversation/keeping/history-files.ts'
import { movedSinceHistory } from '../../conversation/keeping/moves.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { otherTrees } from '../../conversation/worktrees.ts'
import { isDeletedElsewhere, readPlace } from '../../store/machine/place.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { BRANCH, contentsOf, type OwnRepository } from '../../workspace/git/own-repository.ts'
import { JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { addressOf } from '../../workspace/places/address.ts'
import { whatIsAt } from '../../workspace/places/open-place.ts'
import { type RedactReport, secretsIn } from '../editing/redact.ts'
import { notConfirmed, unconfirmedPlace } from './choosing/suggested.ts'
import { isKeptHere, isSame } from './plan.ts'
import { talkedAboutNow } from './save-all.ts'
import { type Sent, sideOf } from './sides.ts'
import { checkCanSync, placeOf } from './sync.ts'
import { awaitedPlace } from './unsent.ts'

export interface WouldSend {
  address: string
  /** It is a folder that is not there. */
  isAway: boolean
  conversations: { path: string; isNew: boolean; secrets: RedactReport['files'] }[]
  /** Paths of conversations that are kept here. */
  kept: string[]
  /** Paths of conversations that were deleted on another machine, and have something here that was never sent. */
  deleted: string[]
}

/**
 * Lists what a sync would send to the place, or to the one that `to` names, with the secrets that the rules of today find
 * in it, its documents too. It compares with what both had after the last sync, changes nothing and asks no place. Throws
 * `refused` as `sync` does, `locked`, what files throw, and git's errors.
 */
export function planSync(ws: Workspace, to?: string): WouldSend {
  checkCanSync(ws)
  const found = to === undefined ? unconfirmedPlace(ws) : undefined
  if (found !== undefined && found.now === undefined) throw notConfirmed(found, 'cortext sync --dry-run')
  const address =
    to === undefined ? (awaitedPlace(ws) ?? placeOf(ws).address) : addressOf(to, ws.environment.cwd)
  const isKnown = readPlace(ws.local)?.address === address
  const going = new Map<string, WouldSend['conversations'][number]>()
  const kept = new Set<string>()
  const deleted = new Set<string>()
  let sent = new Map<string, Sent>()
  inHistory(ws, {}, (repository) => {
    const joined = sideOf(repository, JOINED)
    if (isKnown) sent = joined.conversations
    for (const [origin, one] of sideOf(repository, BRANCH, joined).conversations)
      if (isKeptHere(one)) kept.add(one.path)
      else if (isDeletedElsewhere(ws.local, origin)) deleted.add(one.path)
      else if (!isSame(one, sent.get(origin)))
        going.set(one.path, { path: one.path, isNew: !sent.has(origin), secrets: inSaved(repository, one) })
  })
  // A sync saves these first.
  for (const { path, root, origin, earlier, isKept, isGone } of unsavedIn(ws)) {
    for (const saved of [path, ...earlier]) {
      going.delete(saved)
      kept.delete(saved)
    }
    if (isKept) kept.add(path)
    else if (isGone) deleted.add(path)
    else
      going.set(path, {
        path,
        isNew: origin === undefined || !sent.has(origin),
        secrets: secretsIn(
          filesOfConversation(root, path).map(([file, bytes]) => [file.slice(path.length + 1), bytes]),
        ),
      })
  }
  return {
    address,
    isAway: whatIsAt(address) === 'nothing',
    conversations: [...going.values()],
    kept: [...kept],
    deleted: [...deleted],
  }
}

interface Unsaved {
  path: string
  root: string
  origin: string | undefined
  /** Where it was when it was saved last, if a person has moved its folder since. */
  earlier: string[]
  isKept: boolean
  isGone: boolean
}

/** The conversations that are not saved as they are, in all work trees, without those that a client has open. */
function unsavedIn(ws: Workspace): Unsaved[] {
  const live = talkedAboutNow(ws)
  return [ws, ...otherTrees(ws)].flatMap((tree) => {
    const entries = new Map(scanConversations(tree.root, tree.local, tree).map((one) => [one.path, one]))
    const isHere = ({ backupOnly, problem }: Entry) => backupOnly !== true && problem === undefined
    const all = [...entries.values()].filter(isHere).map(({ path }) => path)
    const changed = hasHistory(tree) ? changedSinceHistory(tree) : all
    const moved = new Map(
      movedSinceHistory(tree, [...entries.values()]).flatMap(({ entry, from }) =>
        from === undefined ? [] : [[entry.path, from] as const],
      ),
    )
    return [...new Set([...moved.keys(), ...changed])]
      .filter((path) => !live.has(path))
      .map((path) => {
        const { keep_here, origin } = entries.get(path)?.session ?? {}
        return {
          ...{ path, root: tree.root, origin, isKept: keep_here === true },
          earlier: moved.has(path) ? [moved.get(path)!] : [],
          isGone: isDeletedElsewhere(ws.local, origin),
        }
      })
  })
}

function hasHistory(ws: Workspace): boolean {
  let found = false
  inHistory(ws, {}, () => {
    found = true
  })
  return found
}

function inSaved(repository: OwnRepository, { files }: Sent): RedactReport['files'] {
  const listed = [...files].map(([path, blob]) => ({ path, blob }))
  const bytes = contentsOf(repository, listed)
  return secretsIn(listed.map(({ path }, index) => [path, bytes[index]!]))
}
