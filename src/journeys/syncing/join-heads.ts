import { foldersOfOrigin } from '../../conversation/keeping/whose.ts'
import {
  type Gone,
  isDeleted,
  joinGone,
  lastCommit,
  markOf,
  mayBeUnseen,
  type PlaceNote,
  updatePlace,
} from '../../store/machine/place.ts'
import { commitAt, type OwnChange, type OwnRepository } from '../../workspace/git/own-repository.ts'
import {
  APART,
  commonCommit,
  FETCHED,
  HEADS,
  JOINED,
  NEXT,
  removeRefs,
  setRef,
} from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Head, Place } from '../../workspace/places/place.ts'
import { redactFetched } from '../editing/redact.ts'
import { eraseBoth, isBehind, redactedSince } from './erase.ts'
import { joinAll } from './join.ts'
import { isKeptHere, isSame } from './plan.ts'
import { prepare } from './prepare.ts'
import { noteBase, oursIn, sideIn } from './read-sides.ts'
import { goneOf } from './sides.ts'
import type { Synced } from './synced.ts'

export interface Joined {
  /** The heads that `NEXT` includes. */
  joined: Head[]
  gone: Gone
  /** Whether a head has what was deleted or redacted on any machine. */
  erases: boolean
  /** Redacted elsewhere, but not here: see `eraseBoth`. */
  notRedacted: ReadonlySet<string>
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
  { note, place, heads }: { note: PlaceNote; place: Place; heads: readonly Head[] },
  done: Synced,
): Promise<Joined> {
  const areSeveral = heads.length > 1
  // At the first sync with an address, it may be another place.
  const isKnown = note.at !== undefined
  const news: Gone[] = []
  for (const [index, head] of heads.entries()) {
    await place.take(head)
    news.push(goneOf(repository, FETCHED))
    if (areSeveral) putAside(repository, index)
  }
  const known = [note, ...news].reduce(joinGone)
  const back = new Map<string, string>()
  for (const [index, there] of news.entries()) {
    if (areSeveral) takeUp(repository, index)
    redactDeleted(ws, known, there)
    for (const [origin, path] of withUnseenWords(ws, known, there, isKnown)) back.set(origin, path)
    if (areSeveral) putAside(repository, index)
  }
  if (heads.length === 0) news.push(NOTHING)
  const isSamePlace = isKnown || heads.some((head) => place.includesJoined(head, []))
  const refs = heads.map((_, index) => (areSeveral ? `${HEADS}/${index}` : FETCHED))
  const isRelated = isSamePlace || refs.some((ref) => commonCommit(repository, ref, [JOINED]) !== undefined)
  const isStrange = heads.length > 0 && !isRelated && note.joined !== undefined
  const mine = isStrange ? forgetJoined(ws, repository, note) : note
  const gone = withdrawn([mine, ...news].reduce(joinGone), back.keys())
  const erases = news.some((one) => isBehind(one, gone))
  const notRedacted = new Set<string>()
  // First in all of them: erasing makes the repository anew, and keeps what a reference names.
  for (const [index, there] of news.entries()) {
    if (areSeveral) takeUp(repository, index)
    const others = areSeveral ? news.flatMap((_, at) => (at === index ? [] : `${HEADS}/${at}`)) : []
    const how = { before: index === 0 ? mine : gone, now: gone, there, others }
    for (const origin of await eraseBoth(ws, how, done)) notRedacted.add(origin)
    if (areSeveral) putAside(repository, index)
  }
  // What another place has deleted may have had other words there.
  const deleted = (isKnown ? [...sideIn(ws, JOINED).conversations.keys()] : [])
    .filter((origin) => isDeleted(gone, markOf(origin)))
    .flatMap((origin) => foldersOfOrigin(repository, JOINED, origin))
  const all: Joined = { joined: [], gone, erases, notRedacted, sent: undefined, apart: [] }
  for (const [index, head] of (heads.length === 0 ? [undefined] : heads).entries()) {
    if (areSeveral) takeUp(repository, index)
    const isFirst = all.joined.length === 0
    const hasGrown = head === undefined || place.includesJoined(head, deleted)
    const others = heads.slice(1)
    if (isKnown && index === 0 && !hasGrown && !others.some((one) => place.includesJoined(one, deleted)))
      if (place.unread.length === 0)
        // What is not whole is told, and may have it.
        done.putBack = true
    // Where nothing is there, nothing was removed there.
    noteBase(repository, head !== undefined && isFirst && hasGrown)
    const { left, unknown } = await joinAll(ws, repository, { gone, notRedacted, isSamePlace }, done)
    // What this program does not know, and what is kept here, stays as it is in the first head. Another head that has such
    // stays as it is, until a machine joins it that takes all of it.
    if (!isFirst && (unknown || hasOtherKept(ws))) continue
    // Before the history is read: what is saved meanwhile goes with the next sync.
    all.sent = lastCommit(ws.local)
    const { sent, settings, apart } = prepare(ws, repository, left, gone)
    all.apart.push(...apart)
    done.sent = [...new Set([...done.sent, ...sent])]
    done.settingsSent = [...new Set([...done.settingsSent, ...settings])]
    if (head !== undefined) all.joined.push(head)
  }
  if (back.size > 0) {
    const { conversations } = oursIn(ws)
    // What cannot come here stays at the place.
    done.back = [...back].map(([origin, path]) => conversations.get(origin)?.path ?? path)
  }
  return all
}

/** Forgets what was joined with another place, and who can open that one. Those that the person trusts stay. */
function forgetJoined(ws: Workspace, repository: OwnRepository, note: PlaceNote): PlaceNote {
  removeRefs(repository, JOINED, APART)
  const forget = ({ joined: _, ...rest }: PlaceNote) => ({ ...rest, readers: {} })
  updatePlace(ws.local, (now) => now && forget(now))
  return forget(note)
}

/**
 * The conversations that were deleted, by origin, of which `FETCHED` has words that nobody had who deleted them: somebody
 * has gone on with them on another machine. This head does not know that they are deleted. If nobody has noted what was
 * seen, another place may have had other words (`isKnown`: this one was joined before).
 */
function withUnseenWords(
  ws: Workspace,
  known: Gone,
  there: Gone,
  isKnown: boolean,
): (readonly [origin: string, path: string])[] {
  if (Object.keys(known.deleted).length === 0) return []
  const side = sideIn(ws, FETCHED)
  return [...side.conversations, ...side.unnamed].flatMap(([origin, { path, files }]) => {
    const mark = markOf(origin)
    if (!isDeleted(known, mark) || (there.deleted[mark] ?? 0) >= known.deleted[mark]!) return []
    if (known.seen[mark] === undefined && !isKnown) return [[origin, path]]
    const unread = side.unread
      .filter(({ file }) => file.startsWith(`${path}/`))
      .map(({ file }) => [file.slice(path.length + 1), side.files.get(file)!] as const)
    return mayBeUnseen(known, origin, [...files, ...unread]) ? [[origin, path]] : []
  })
}

/**
 * Redacts what was fetched of conversations that were redacted and then deleted: otherwise it would look as if somebody
 * had gone on with them.
 */
function redactDeleted(ws: Workspace, known: Gone, there: Gone): void {
  if (Object.keys(known.seen).length === 0) return
  const redacted = redactedSince(known, there)
  const { conversations, unnamed } = sideIn(ws, FETCHED)
  for (const [origin, { path }] of [...conversations, ...unnamed]) {
    const mark = markOf(origin)
    if (isDeleted(known, mark) && known.seen[mark] !== undefined && redacted.has(mark))
      redactFetched(ws, path, origin)
  }
}

/** Whether `FETCHED` has another version of something that is kept here than what is sent. */
function hasOtherKept(ws: Workspace): boolean {
  const kept = [...oursIn(ws).conversations].filter(([, own]) => isKeptHere(own))
  if (kept.length === 0) return false
  const [there, next] = [FETCHED, NEXT].map((ref) => sideIn(ws, ref).conversations)
  return kept.some(([origin]) => {
    const one = there!.get(origin)
    return one !== undefined && !isSame(one, next!.get(origin))
  })
}

/** What is gone without these deletions. A later number counts, as for a conversation that was imported again. */
function withdrawn(note: Gone, origins: Iterable<string>): Gone {
  const marks = [...origins].map(markOf)
  const deleted = {
    ...note.deleted,
    ...Object.fromEntries(marks.map((mark) => [mark, note.deleted[mark]! + 1])),
  }
  return { ...note, deleted }
}

const NOTHING: Gone = { deleted: {}, redacted: {}, readers: {}, seen: {} }

function putAside(repository: OwnRepository, index: number): void {
  setRef(repository, `${HEADS}/${index}`, commitAt(repository, FETCHED) && FETCHED)
}

function takeUp(repository: OwnRepository, index: number): void {
  const ref = `${HEADS}/${index}`
  setRef(repository, FETCHED, commitAt(repository, ref) && ref)
  setRef(repository, ref, undefined)
}
