import { gitSeesRecord } from '../../conversation/held.ts'
import { eraseFetched } from '../../conversation/keeping/erase-history.ts'
import { changedSinceHistory, keepWorkspace } from '../../conversation/keeping/history.ts'
import { author, hasGit, inHistory } from '../../conversation/keeping/open-history.ts'
import { publish } from '../../conversation/publish.ts'
import { otherRoots } from '../../conversation/worktrees.ts'
import { CortextError, withDefault } from '../../errors.ts'
import { MAJOR_VERSION } from '../../session/schema.ts'
import { localFiles } from '../../store/layout.ts'
import { liveSegment } from '../../store/machine/binding.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { withLock } from '../../store/machine/locks/lock.ts'
import {
  type Gone,
  isDeleted,
  joinGone,
  lastCommit,
  markOf,
  type PlaceNote,
  readPlace,
  updatePlace,
} from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import {
  BRANCH,
  commitOwn,
  filesOf,
  type OwnChange,
  type OwnRepository,
} from '../../workspace/git/own-repository.ts'
import {
  branchesAt,
  commitAt,
  commonCommit,
  FETCHED,
  fetchPlace,
  JOINED,
  NEXT,
  sendNext,
  setRef,
  tidyPlace,
} from '../../workspace/git/place.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { readRegistry } from '../../workspace/registry.ts'
import { allWithKey } from '../agent-loop/by-key.ts'
import { deleteConversation } from '../editing/delete.ts'
import { redactHistory, redactRecord } from '../editing/redact.ts'
import { type Coming, isKeptHere, isSame, planJoin } from './plan.ts'
import { moveApart, receive, receiveSettings } from './receive.ts'
import { changesToSend, notJoined } from './send.ts'
import { goneOf, type Sent, type Side, type Sides, sideOf } from './sides.ts'

/** What a sync has done. Each list has the paths of conversations. */
export interface Synced {
  place: { address: string; branch: string }
  /** Sent to the place: new, changed or removed there. */
  sent: string[]
  /** New here. */
  taken: string[]
  /** Both sides had changed, or only the place had. */
  joined: string[]
  deleted: string[]
  /** Taken out of the place and its history, or its secrets, because they were deleted or redacted here. */
  erased: string[]
  /** Documents that two machines have changed in the same place, with the file beside it that has the other version. */
  conflicts: { file: string; other: string }[]
  /** Conversations that two machines began with one key, the one that the key means first. */
  keys: { key: string; means: string; others: string[] }[]
  /** Deleted on another machine, with words here that were never sent. */
  asked: string[]
  /** Of a type that is not in the registry here, or of a newer program: they stay at the place. */
  unknown: string[]
  /** Could not be saved before, with the reason: what the last save had was sent. */
  unsaved: { path: string; message: string }[]
  /** Settings that both sides have changed. Those of this machine were sent. */
  settings: string[]
}

/**
 * Fetches what the place of a workspace has, joins it with what is here, and sends the result. A second call changes
 * nothing. After a kill, or an error of git, the next call does the rest. Throws `refused` without a place, `locked`,
 * what files throw, and git's errors.
 */
export async function sync(ws: Workspace, { patienceMs = PATIENCE_MS } = {}): Promise<Synced> {
  checkCanSync(ws)
  const work = async () => {
    const { address, branch } = placeOf(ws)
    const done: Synced = {
      place: { address, branch },
      sent: [],
      taken: [],
      joined: [],
      deleted: [],
      erased: [],
      conflicts: [],
      keys: [],
      asked: [],
      unknown: [],
      unsaved: [],
      settings: [],
    }
    finishDeleting(ws)
    await saveAll(ws, done)
    for (let tries = 1; !(await fetchAndSend(ws, done)); tries += 1)
      if (tries === MAX_TRIES)
        throw new CortextError(
          'locked',
          `other machines are sending to ${oneLine(address)} again and again`,
          { fix: 'cortext sync' },
        )
    return done
  }
  return whileNoSync(ws, work, patienceMs)
}

/** Calls `work` while no other process of this machine syncs this workspace. Throws `locked`. */
export function whileNoSync<T>(
  ws: Workspace,
  work: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  return withLock(ws.local, 'sync', work, patienceMs)
}

/** Another sync here may be sending much. */
const PATIENCE_MS = 10 * 60_000

/** Other machines may send at the same moment. */
const MAX_TRIES = 5

/** Throws `refused` if the conversations of a workspace are not in a repository of their own. */
export function checkCanSync(ws: Workspace): void {
  if (gitSeesRecord(ws))
    throw new CortextError(
      'refused',
      'the conversations of this workspace are in the project’s own git, which takes them along',
      {
        fix: 'git push; or keep them out of the project: cortext init --private',
      },
    )
  if (!hasGit(ws))
    throw new CortextError('git', 'git is not on PATH', { fix: 'install git, or put it on PATH' })
}

export function repositoryOf({ local, environment }: Workspace): OwnRepository {
  return { root: localFiles(local).history, environment, isBare: true }
}

/** Whether the place had a conversation when it was joined last. */
export function isAtPlace(ws: Workspace, path: string): boolean {
  let files: unknown[] = []
  inHistory(ws, {}, (repository) => {
    files = filesOf(repository, [path], JOINED) ?? []
  })
  return files.length > 0
}

/**
 * Saves what has changed in any work tree since the last save, but for what is being talked about now: that goes after
 * its stop.
 */
async function saveAll(ws: Workspace, done: Synced): Promise<void> {
  keepWorkspace(ws)
  const live = talkedAboutNow(ws)
  for (const tree of [ws, ...otherTrees(ws)])
    for (const path of changedSinceHistory(tree).filter((one) => !live.has(one)))
      try {
        await publish(tree, path)
      } catch (error) {
        if (!(error instanceof CortextError)) throw error
        done.unsaved.push({ path, message: error.message })
      }
}

/** The workspace in its other work trees, without those whose settings cannot be read. */
export function otherTrees(ws: Workspace): Workspace[] {
  return otherRoots(ws).flatMap((root) =>
    withDefault<Workspace[]>([], () => [openWorkspace({ ...ws.environment, cwd: root }, root)]),
  )
}

/** Paths of conversations that a client has open. They go after their stop. */
export function talkedAboutNow({ local }: Workspace): Set<string | undefined> {
  return new Set(listBindings(local).map((binding) => liveSegment(binding)?.conversation))
}

/** Fetches, joins and sends once. Returns false if another machine has sent meanwhile. */
async function fetchAndSend(ws: Workspace, done: Synced): Promise<boolean> {
  const place = placeOf(ws)
  const repository = repositoryOf(ws)
  const there = (await branchesAt(repository, place.address)).get(place.branch)
  const isSame = there === place.there && lastCommit(ws.local) === place.sent
  if (there !== undefined && isSame) {
    updatePlace(ws.local, (now) => now && { ...now, at: ws.environment.now().toISOString() })
    return true
  }
  if (there === undefined) setRef(repository, FETCHED, undefined)
  else await fetchPlace(repository, place)
  const news = goneOf(repository, FETCHED)
  if (wasPutBack(repository, place, there, news)) noteCommonBase(ws, repository, place)
  const erases = (await eraseBoth(ws, repository, { place, news }, done)) || place.tidies === true
  if (erases) updatePlace(ws.local, (now) => now && { ...now, tidies: true })
  const left = await joinAll(ws, repository, joinGone(place, news), done)
  // Before the history is read: what is saved meanwhile goes with the next sync.
  const sent = lastCommit(ws.local)
  const apart = prepare(ws, repository, left, joinGone(place, news), done)
  const next = commitAt(repository, NEXT)
  if (next !== undefined && next !== there && !(await sendNext(repository, place, there))) return false
  if (erases) tidyPlace(repository, place)
  inHistory(ws, {}, () => {
    setRef(repository, JOINED, next === undefined ? undefined : NEXT)
    if (apart.length > 0)
      commitOwn(repository, [{ changes: apart, message: 'not joined', who: author(ws) }], JOINED)
    for (const ref of [NEXT, FETCHED]) setRef(repository, ref, undefined)
    updatePlace(ws.local, (noted) => {
      if (noted === undefined) return undefined
      const { tidies: _, there: __, joined: ___, ...now } = noted
      return {
        ...now,
        ...joinGone(now, news),
        at: ws.environment.now().toISOString(),
        ...(sent !== undefined && { sent }),
        ...(next !== undefined && { joined: next }),
        ...(next !== undefined && !hasRemarks(done) && { there: next }),
      }
    })
  })
  return true
}

/**
 * Whether the branch of the place has not grown out of what was joined last. Then somebody has put it back to an earlier
 * state. Where another machine has erased something, its history was made anew.
 */
function wasPutBack(
  repository: OwnRepository,
  place: PlaceNote,
  there: string | undefined,
  news: Gone,
): boolean {
  if (there === undefined || place.joined === undefined) return false
  return commonCommit(repository, place.joined, FETCHED) !== place.joined && !knowsMore(news, place)
}

/** Whether `one` says of some conversation that it is gone, and `other` does not know it. */
function knowsMore(one: Gone, other: Gone): boolean {
  return (['deleted', 'redacted'] as const).some((what) =>
    Object.keys(one[what]).some(isAhead(one, other, what)),
  )
}

function isAhead(one: Gone, other: Gone, what: keyof Gone): (mark: string) => boolean {
  return (mark) => (one[what][mark] ?? 0) > (other[what][mark] ?? 0)
}

/** What both sides had before each went on is what their histories have in common; without it, all of both stays. */
function noteCommonBase(ws: Workspace, repository: OwnRepository, { joined }: PlaceNote): void {
  inHistory(ws, {}, () => setRef(repository, JOINED, commonCommit(repository, joined!, FETCHED)))
}

function hasRemarks({ asked, unknown, unsaved }: Synced): boolean {
  return asked.length + unknown.length + unsaved.length > 0
}

/** Where the conversations of a workspace are sent. Throws `refused` if nobody has said it. */
export function placeOf({ local }: Workspace): PlaceNote {
  const place = readPlace(local)
  if (place === undefined)
    throw new CortextError('refused', 'no place is set for the conversations of this workspace', {
      fix: 'cortext sync --to <address of a git repository, or a folder>',
    })
  return place
}

/**
 * Takes out of the history of the place what was deleted or redacted here, and redacts here what was redacted on another
 * machine. Returns whether the place's history may have changed.
 */
async function eraseBoth(
  ws: Workspace,
  repository: OwnRepository,
  { place, news }: { place: PlaceNote; news: Gone },
  done: Synced,
): Promise<boolean> {
  const marks = Object.keys(joinGone(place, news).redacted)
  const toRedact = new Set(marks.filter(isAhead(place, news, 'redacted')))
  const redacted = new Set(marks.filter(isAhead(news, place, 'redacted')))
  const toDelete = new Set(
    Object.keys(place.deleted)
      .filter(isAhead(place, news, 'deleted'))
      .filter((mark) => isDeleted(place, mark)),
  )
  if (toRedact.size + redacted.size + toDelete.size === 0) return false
  const { ours, theirs } = sidesOf(ws, repository)
  const concerned = (side: Side, which: ReadonlySet<string>) =>
    [...side.conversations].filter(([origin]) => which.has(markOf(origin))).map(([, { path }]) => path)
  for (const path of concerned(theirs, toDelete)) eraseFetched(ws, path)
  done.erased.push(...concerned(theirs, toDelete), ...concerned(theirs, toRedact))
  for (const path of concerned(ours, redacted)) await redactRecord(ws, path, { isNews: false })
  for (const path of concerned(ours, toRedact)) redactHistory(ws, path)
  return toRedact.size + toDelete.size > 0
}

/** Joins what the place has into this machine. Returns the origins of the conversations that stay at the place only. */
async function joinAll(
  ws: Workspace,
  repository: OwnRepository,
  gone: Gone,
  done: Synced,
): Promise<Set<string>> {
  const sides = sidesOf(ws, repository)
  const { taken, kept } = receiveSettings(ws, repository, sides)
  done.settings = kept
  const folders = [...readRegistry(ws.root).types.values()].map(({ folder }) => `${folder}/`)
  const left = new Set<string>()
  const coming: Coming[] = []
  for (const step of planJoin(sides, gone)) {
    const path = 'path' in step ? step.path : step.ours.path
    if (step.do === 'move') moveApart(ws, repository, step.ours.path, step.path)
    else if (step.do === 'delete') {
      noteDeleting(ws, [markOf(step.origin)])
      deleteConversation(ws, path, { isNews: false })
      done.deleted.push(path)
    } else if (step.do === 'ask') {
      left.add(step.origin)
      done.asked.push(path)
    } else if (folders.some((folder) => path.startsWith(folder)) && !isNewer(step.theirs)) coming.push(step)
    else {
      left.add(step.origin)
      done.unknown.push(path)
    }
  }
  noteDeleting(ws, [])
  done.conflicts.push(...receive(ws, repository, coming))
  done.keys = keysOfTwo(ws, coming)
  for (const step of coming) (step.do === 'take' ? done.taken : done.joined).push(step.path)
  if (taken.length > 0) keepWorkspace(ws)
  return left
}

/** The keys of what is new here that another conversation has too. */
function keysOfTwo(ws: Workspace, coming: readonly Coming[]): Synced['keys'] {
  const keys = new Set(
    coming.flatMap(({ do: what, theirs }) => (what === 'take' ? [theirs.session.key] : [])),
  )
  return [...keys].flatMap((key) => {
    if (typeof key !== 'string') return []
    const [means, ...others] = allWithKey(ws, key)
    return others.length === 0 ? [] : [{ key, means: means!, others }]
  })
}

function isNewer({ session }: Sent): boolean {
  return Number.parseInt(String(session.version), 10) > MAJOR_VERSION
}

/** Notes what is being deleted. Throws what files throw. */
function noteDeleting(ws: Workspace, deleting: string[]): void {
  updatePlace(ws.local, (place) =>
    place === undefined || place.deleting.length + deleting.length === 0 ? place : { ...place, deleting },
  )
}

/** Deletes again what a killed sync has begun to delete. */
function finishDeleting(ws: Workspace): void {
  const { deleting } = placeOf(ws)
  if (deleting.length === 0) return
  for (const { path, session } of scanConversations(ws.root, ws.local, ws))
    if (session?.origin !== undefined && deleting.includes(markOf(session.origin)))
      deleteConversation(ws, path, { isNews: false })
  noteDeleting(ws, [])
}

/**
 * Makes the commit that is sent. Returns what is different in the reference of what is joined, because of conversations
 * that stay apart: this machine does not have what the place has of them.
 */
function prepare(
  ws: Workspace,
  repository: OwnRepository,
  left: ReadonlySet<string>,
  gone: Gone,
  done: Synced,
): OwnChange[] {
  const { base, ours: all, theirs } = sidesOf(ws, repository)
  const isApart = ([origin, one]: [string, Sent]) => left.has(origin) || isKeptHere(one)
  const conversations = new Map([...all.conversations].filter((one) => !isApart(one)))
  const changes = changesToSend({ base, ours: { ...all, conversations }, theirs }, gone)
  done.sent = [...conversations]
    .filter(([origin, one]) => !isSame(one, theirs.conversations.get(origin)))
    .map(([, { path }]) => path)
  const what = done.sent.length === 0 ? 'up to date' : countOf(done.sent.length, 'conversation')
  inHistory(ws, {}, () => {
    setRef(repository, NEXT, commitAt(repository, FETCHED) && FETCHED)
    if (changes.length > 0)
      commitOwn(repository, [{ changes, message: `[sync] ${what}`, who: author(ws) }], NEXT)
  })
  return notJoined({ base, ours: all, theirs }, [...all.conversations].filter(isApart))
}

function sidesOf(ws: Workspace, repository: OwnRepository): Sides {
  const sides: Side[] = []
  inHistory(ws, {}, () => {
    for (const ref of [BRANCH, FETCHED, JOINED]) sides.push(sideOf(repository, ref))
  })
  const [ours, theirs, base] = sides as [Side, Side, Side]
  return { base, ours, theirs }
}
