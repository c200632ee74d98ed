import { keepWorkspace } from '../../conversation/keeping/history.ts'
import { MAJOR_VERSION } from '../../session/schema.ts'
import { type Gone, isDeleted, joinGone, lastCommit, markOf, updatePlace } from '../../store/machine/place.ts'
import type { OwnChange, OwnRepository } from '../../workspace/git/own-repository.ts'
import { commitAt, FETCHED, HEADS, JOINED, setRef } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Head, Place } from '../../workspace/places/place.ts'
import { readRegistry } from '../../workspace/registry.ts'
import { deleteConversation } from '../editing/delete.ts'
import { eraseBoth, isBehind } from './erase.ts'
import { type Coming, planJoin } from './plan.ts'
import { prepare } from './prepare.ts'
import { noteBase, sideIn, sidesOf } from './read-sides.ts'
import { moveApart, receive, receiveSettings } from './receive.ts'
import { goneOf, type Sent } from './sides.ts'
import type { Synced } from './synced.ts'

export interface Joined {
  /** The heads that `NEXT` includes. */
  joined: Head[]
  gone: Gone
  /** Whether a head has what was deleted or redacted on any machine. */
  erases: boolean
  /** The last commit of the history here that goes. */
  sent: string | undefined
  /** See `Prepared`. */
  apart: OwnChange[]
}

/**
 * Joins one head of a place after the other into this machine, and makes `NEXT` with all of them. Throws what files
 * throw, and git's errors.
 */
export async function joinHeads(
  ws: Workspace,
  repository: OwnRepository,
  { note, place, heads }: { note: Gone; place: Place; heads: readonly Head[] },
  done: Synced,
): Promise<Joined> {
  const news: Gone[] = []
  for (const [index, head] of heads.entries()) {
    await place.take(head)
    news.push(goneOf(repository, FETCHED))
    putAside(repository, index)
  }
  if (heads.length === 0) news.push(NOTHING)
  const gone = [note, ...news].reduce(joinGone)
  const erases = news.some((one) => isBehind(one, gone))
  // First in all of them: erasing makes the repository anew, and keeps what a reference names.
  for (const [index, there] of news.entries()) {
    takeUp(repository, index)
    await eraseBoth(ws, { before: index === 0 ? note : gone, now: gone, there })
    putAside(repository, index)
  }
  const all: Joined = { joined: [], gone, erases, sent: undefined, apart: [] }
  for (const [index, head] of (heads.length === 0 ? [undefined] : heads).entries()) {
    takeUp(repository, index)
    const isFirst = all.joined.length === 0
    noteBase(repository, isFirst && (head === undefined || place.includesJoined(head)))
    const { left, unknown } = await joinAll(ws, repository, gone, done)
    // What this program does not know stays as it is in the first head. Another head that has such stays as it is.
    if (!isFirst && unknown) continue
    // Before the history is read: what is saved meanwhile goes with the next sync.
    all.sent = lastCommit(ws.local)
    const { sent, apart } = prepare(ws, repository, left, gone)
    all.apart.push(...apart)
    done.sent = [...new Set([...done.sent, ...sent])]
    if (head !== undefined) all.joined.push(head)
  }
  return all
}

const NOTHING: Gone = { deleted: {}, redacted: {} }

function putAside(repository: OwnRepository, index: number): void {
  setRef(repository, `${HEADS}/${index}`, commitAt(repository, FETCHED) && FETCHED)
}

function takeUp(repository: OwnRepository, index: number): void {
  const ref = `${HEADS}/${index}`
  setRef(repository, FETCHED, commitAt(repository, ref) && ref)
  setRef(repository, ref, undefined)
}

/**
 * Joins what `FETCHED` has into this machine. Returns the origins of the conversations that stay at the place only, and
 * whether this program does not know some of them.
 */
async function joinAll(
  ws: Workspace,
  repository: OwnRepository,
  gone: Gone,
  done: Synced,
): Promise<{ left: Set<string>; unknown: boolean }> {
  const sides = sidesOf(ws)
  // What another machine has deleted is compared with what this one has sent.
  for (const [origin, sent] of sideIn(ws, JOINED).conversations)
    if (isDeleted(gone, markOf(origin))) sides.base.conversations.set(origin, sent)
  const { taken, kept } = receiveSettings(ws, repository, sides)
  done.settings = [...new Set([...done.settings, ...kept])]
  let unknown = false
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
      unknown = true
      done.unknown.push(path)
    }
  }
  noteDeleting(ws, [])
  receive(ws, repository, coming)
  for (const step of coming) (step.do === 'take' ? done.taken : done.joined).push(step.path)
  if (taken.length > 0) keepWorkspace(ws)
  return { left, unknown }
}

function isNewer({ session }: Sent): boolean {
  return Number.parseInt(String(session.version), 10) > MAJOR_VERSION
}

/** Notes what is being deleted. Throws what files throw. */
export function noteDeleting(ws: Workspace, deleting: string[]): void {
  updatePlace(ws.local, (place) =>
    place === undefined || place.deleting.length + deleting.length === 0 ? place : { ...place, deleting },
  )
}
