import { keepWorkspace } from '../../conversation/keeping/history.ts'
import { filesOfConversation } from '../../conversation/keeping/history-files.ts'
import { foldersElsewhere } from '../../conversation/worktrees.ts'
import { sha256 } from '../../hash.ts'
import { MAJOR_VERSION } from '../../session/schema.ts'
import {
  type Gone,
  isDeleted,
  markOf,
  type PlaceNote,
  readPlace,
  updatePlace,
} from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import type { OwnRepository } from '../../workspace/git/own-repository.ts'
import { JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readRegistry } from '../../workspace/registry.ts'
import { allWithKey } from '../agent-loop/by-key.ts'
import { removeConversation } from '../editing/delete.ts'
import { hasUnseen } from './erase.ts'
import { isInTheWay } from './in-the-way.ts'
import { isOpenFolder } from './names.ts'
import { type Coming, planJoin } from './plan.ts'
import { removedThere, sideIn, sidesOf } from './read-sides.ts'
import { moveApart, receive } from './receive.ts'
import { isPersons, receiveSettings } from './receive-settings.ts'
import { talkedAboutNow } from './save-all.ts'
import { type Sent, tooLarge } from './sides.ts'
import type { Synced } from './synced.ts'

/**
 * Joins what `FETCHED` has into this machine, by the steps of `planJoin`, which plan.ts explains. Returns the origins of
 * the conversations that stay at the place only. `unknown`: something of the place is not here and no question is open
 * about it, so it must stay there: a session.json that cannot be read, a newer format, a type without a folder here, a
 * folder that something else has, too many bytes, or what is `notRedacted` here.
 */
export async function joinAll(
  ws: Workspace,
  repository: OwnRepository,
  { gone, notRedacted, isSamePlace }: { gone: Gone; notRedacted: ReadonlySet<string>; isSamePlace: boolean },
  done: Synced,
): Promise<{ left: Set<string>; unknown: boolean }> {
  const sides = sidesOf(ws)
  for (const [origin, sent] of removedThere(ws, sides, gone)) sides.theirs.conversations.set(origin, sent)
  const tell = (file: string, problem: string) => {
    if (!done.unread.some((one) => one.file === file)) done.unread.push({ file, problem })
  }
  for (const { file, problem } of [...sides.theirs.unread, ...sides.ours.unread]) tell(file, problem)
  // What another machine has deleted is compared with what this one has sent: more than the base has, if another machine
  // has sent at the same moment. What was sent to another place, or to this one while that machine deleted it, it may never
  // have seen.
  for (const [origin, sent] of isSamePlace ? sideIn(ws, JOINED, sides.ours).conversations : []) {
    if (!isDeleted(gone, markOf(origin))) continue
    if (hasUnseen(ws, gone, origin, sent)) sides.base.conversations.delete(origin)
    else sides.base.conversations.set(origin, sent)
  }
  const { taken, kept } = receiveSettings(ws, repository, sides)
  done.settings = [...new Set([...done.settings, ...kept])]
  done.settingsTaken = [...new Set([...done.settingsTaken, ...taken.filter(isPersons)])]
  let unknown = sides.theirs.unread.length > 0
  const folders = [...readRegistry(ws.root).types.values()].map(({ folder }) => `${folder}/`)
  // Of what can have no such name here, this machine has another name, or the place has.
  const apart = new Set([...notRedacted, ...sides.ours.unnamed.keys(), ...sides.theirs.unnamed.keys()])
  const left = new Set(apart)
  const coming: Coming[] = []
  const canCome = ({ path, origin, ours, theirs }: Coming) =>
    folders.some((folder) => path.startsWith(folder)) &&
    !isNewer(theirs) &&
    (path === ours?.path || (isOpenFolder(path) && !isInTheWay(ws, repository, path, origin)))
  const stay = (origin: string) => {
    left.add(origin)
    unknown = true
  }
  unknown ||= apart.size > 0
  for (const origin of notRedacted) tell(sides.ours.conversations.get(origin)?.path ?? origin, NOT_REDACTED)
  const unsaved = new Set([...talkedAboutNow(ws), ...done.unsaved.map(({ path }) => path)])
  for (const step of planJoin(sides, gone, unsaved)) {
    const path = 'path' in step ? step.path : step.ours.path
    switch (step.do) {
      case 'move':
        moveApart(ws, step.ours.path, step.path)
        break
      case 'delete':
        noteDeleting(ws, { [markOf(step.origin)]: hashesOf(ws, path) })
        removeConversation(ws, path, { isNews: false })
        done.deleted.push(path)
        break
      case 'ask':
        left.add(step.origin)
        done.asked.push(path)
        if (step.changed === 'metadata') done.retitled.push(path)
        if (step.changed === 'words') done.unsent.push(path)
        break
      case 'leave':
        stay(step.origin)
        done.unknown.push(path)
        break
      default:
        if (apart.has(step.origin)) break
        if (step.theirs.bytes <= LARGEST && canCome(step)) coming.push(step)
        else {
          stay(step.origin)
          if (step.theirs.bytes > LARGEST) tell(path, tooLarge(step.theirs.bytes, LARGEST))
          else done.unknown.push(path)
        }
    }
  }
  noteDeleting(ws, {})
  const { conflicts, titles, renamed, notJoined } = receive(ws, repository, coming)
  done.conflicts.push(...conflicts)
  done.titles.push(...titles)
  done.renamed.push(...renamed)
  for (const { step, problem } of notJoined) {
    stay(step.origin)
    tell(step.path, problem)
  }
  const here = coming.filter((step) => notJoined.every((one) => one.step !== step))
  done.keys.push(...keysOfSeveral(ws, here, done.asked))
  for (const { do: what, path } of here) {
    const paths = what === 'take' ? done.taken : done.joined
    // Two heads of the place may have it.
    if (!paths.includes(path)) paths.push(path)
  }
  if (taken.length > 0) keepWorkspace(ws)
  return { left, unknown }
}

const NOT_REDACTED =
  'another machine has redacted it, and redact is off here, so it is neither sent nor changed: set "redact": true in .workspace/config.json'

/** The most bytes of a conversation: two versions of it are read at once. */
const LARGEST = 400 * 1024 * 1024

/** The keys of what is new here that another conversation has too, but for those that were deleted elsewhere. */
function keysOfSeveral(ws: Workspace, coming: readonly Coming[], asked: readonly string[]): Synced['keys'] {
  const keys = new Set(
    coming.flatMap(({ do: what, theirs }) => (what === 'take' ? [theirs.session.key] : [])),
  )
  return [...keys].flatMap((key) => {
    if (typeof key !== 'string') return []
    const [means, ...others] = allWithKey(ws, key).filter((path) => !asked.includes(path))
    return others.length === 0 ? [] : [{ key, means: means!, others }]
  })
}

function isNewer({ session }: Sent): boolean {
  return Number.parseInt(String(session.version), 10) > MAJOR_VERSION
}

/** Notes what is being deleted. Throws what files throw. */
function noteDeleting(ws: Workspace, deleting: PlaceNote['deleting']): void {
  const count = (some: PlaceNote['deleting']) => Object.keys(some).length
  updatePlace(ws.local, (place) =>
    place === undefined || count(place.deleting) + count(deleting) === 0 ? place : { ...place, deleting },
  )
}

/** Deletes again what a killed sync has begun to delete. About what has changed since, the person is asked later. */
export function finishDeleting(ws: Workspace): void {
  const { deleting = {} } = readPlace(ws.local) ?? {}
  if (Object.keys(deleting).length === 0) return
  const live = talkedAboutNow(ws)
  for (const { path, session } of scanConversations(ws.root, ws.local, ws)) {
    const before = session?.origin && deleting[markOf(session.origin)]
    if (!before || live.has(path) || hashesOf(ws, path).some((hash) => !before.includes(hash))) continue
    removeConversation(ws, path, { isNews: false })
  }
  noteDeleting(ws, {})
}

/** The hashes of the files of a conversation, with their paths, in all work trees. */
function hashesOf(ws: Workspace, path: string): string[] {
  return [...foldersElsewhere(ws, path), { root: ws.root, path }]
    .flatMap((one) => filesOfConversation(one.root, one.path))
    .map(([file, bytes]) => sha256(`${file}\n${sha256(bytes)}`))
}
