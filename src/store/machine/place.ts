import { join } from 'node:path'
import { crypto, sha256 } from '../../hash.ts'
import { readText } from '../../io/regular-file.ts'
import { localFiles, RECORD } from '../layout.ts'
import { withLock, withLockSync } from './locks/lock.ts'
import { type Note, readNote, writeNote } from './note.ts'

/** Where a workspace's conversations are sent, and what this machine knows of what is gone. */
export interface PlaceNote extends Gone {
  address: string
  branch: string
  /** A plain folder. Absent: a git repository. */
  kind?: 'folder'
  /** All that is sent is sealed. This is the name of the project's folder or branch at the place. */
  sealed?: string
  /**
   * The keys, besides those of this machine, for which the person seals: those that were at the place at the first sync,
   * and those that were let in here since. Absent before the first sync.
   */
  trusted?: string[]
  /** The place that the project's settings named when the person chose this one: they have decided about it. */
  suggested?: string
  /** When the last sync ended, in ISO 8601. */
  at?: string
  /** The last commit of the history here, when the last sync ended. */
  sent?: string
  /** The state of the place then: of a branch, its last commit. Absent if that sync has told the person something. */
  there?: string
  /** What that sync has left as it was at the place or here, and told the person: paths of conversations and files. */
  left?: string[]
  /** The name of what was at the place then. */
  joined?: string
  /**
   * A sync has begun to fetch, and has not ended yet. If it was killed, what it has fetched may be here without a
   * reference.
   */
  fetches?: true
  /** What is gone may still be among the objects here. */
  unclean?: true
  /** What was erased at the place may still be among its objects, or is sealed for others. */
  tidies?: true
  /**
   * By their marks, conversations that this machine has begun to delete because another has, with the hashes of their files.
   * After a kill they are deleted again, unless one has changed.
   */
  deleting: Record<string, string[]>
  /** Nothing is sent there any more. What is deleted or redacted is still noted: the person may choose the place again. */
  stopped?: true
}

/**
 * What was deleted and redacted on any machine, and for whom the place is sealed. Conversations are named by `markOf` their
 * origins. Of two machines, the higher number is right.
 */
export interface Gone {
  /** How often a conversation was deleted and imported again. An odd number: it is deleted. */
  deleted: Record<string, number>
  /** Each redaction of a conversation has a name of its own, since two machines may redact at once (`noteRedacted`). */
  redacted: Record<string, number>
  /** How often a key was added to those that can open the place, and removed. An odd number: it can. */
  readers: Record<string, number>
  /**
   * Of conversations that were deleted: all versions of their files that the machines have had that deleted them
   * (`versionMark`). In others are words that none of these persons has seen.
   */
  seen: Record<string, string[]>
}

export function readPlace(local: string): PlaceNote | undefined {
  const noted = readPlaceOrStopped(local)
  return noted?.stopped ? undefined : noted
}

/** The last place that was chosen, also if the person has stopped sending there. */
export function readPlaceOrStopped(local: string): PlaceNote | undefined {
  return readNote(noteOf(local))
}

/**
 * Changes the note under a lock, also that of a place that was stopped; undefined where there is none. Throws `locked` and
 * what files throw.
 */
export function updatePlace(
  local: string,
  change: (place: PlaceNote | undefined) => PlaceNote | undefined,
): void {
  withLockSync(local, 'place', () => {
    const before = readPlaceOrStopped(local)
    const after = change(before)
    if (after !== undefined && after !== before) writeNote(local, noteOf(local), after)
  })
}

/**
 * Calls `work` while no other process of this machine syncs this workspace. A sync has read what it joins, and would
 * write back what is deleted or redacted meanwhile. `work` must not sync, delete or redact. Throws `locked`.
 */
export function whileNoSync<T>(
  local: string,
  work: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  return withLock(local, SYNC_LOCK, work, patienceMs)
}

/** The name of its lock. */
export const SYNC_LOCK = 'sync'
/** A sync may be sending much. */
const PATIENCE_MS = 10 * 60_000

/** The last automatic sync. */
export interface AutoSync {
  /** When it began, in ISO 8601. */
  at: string
  failed: boolean
  /** What the person has to be told, once. */
  tell: string[]
}

export function readAutoSync(local: string): AutoSync | undefined {
  return readNote(AUTO_SYNC(local))
}

/** If it cannot be written, that is only logged. */
export function writeAutoSync(local: string, note: AutoSync): void {
  writeNote(local, AUTO_SYNC(local), note)
}

const AUTO_SYNC = (local: string): Note<AutoSync> => ({
  path: localFiles(local).autoSync,
  parse: (value) => {
    const { at, failed, tell } = Object(value) as Record<string, unknown>
    if (typeof at !== 'string' || !Array.isArray(tell)) return undefined
    return { at, failed: failed === true, tell: tell.filter((line) => typeof line === 'string') }
  },
  cache: true,
})

/** The last commit of the history; undefined if there is none. */
export function lastCommit(local: string): string | undefined {
  const { history } = localFiles(local)
  const packed = readText(join(history, 'packed-refs')) ?? ''
  return readText(join(history, 'refs/heads/main'))?.trim() ?? /^(\S+) refs\/heads\/main$/m.exec(packed)?.[1]
}

/**
 * Notes that this workspace has no place, not even the person's for all workspaces. Throws `locked` and what files throw.
 */
export function stopPlace(local: string): void {
  updatePlace(local, (place) => place && { ...place, stopped: true })
  if (readPlaceOrStopped(local) === undefined) writeNote(local, STOPPED(local), true)
}

export function hasStopped(local: string): boolean {
  return readNote(STOPPED(local)) === true || readPlaceOrStopped(local)?.stopped === true
}

/** Notes what the next sync has to do at the place too. Throws what files throw. */
export function noteForPlace(local: string, origin: string, what: 'deleted' | 'imported'): void {
  const mark = markOf(origin)
  updatePlace(local, (place) => {
    if (place === undefined || isDeleted(place, mark) === (what === 'deleted')) return place
    return { ...place, deleted: { ...place.deleted, [mark]: (place.deleted[mark] ?? 0) + 1 } }
  })
}

/**
 * Notes that the next sync has to redact a conversation at the place too, also if one that was at work meanwhile has sent
 * all that is here now. Throws what files throw.
 */
export function noteRedacted(local: string, origin: string | undefined): void {
  if (origin === undefined) return
  const name = `${markOf(origin)}-${crypto().randomUUID().slice(0, 8)}`
  updatePlace(
    local,
    (place) => place && { ...place, redacted: { ...place.redacted, [name]: 1 }, tidies: true },
  )
}

/** The mark of the conversation whose redaction has this name. */
export function redactedMark(name: string): string {
  return name.slice(0, MARK_LENGTH)
}

/**
 * Notes the versions that this machine has had of the words of a conversation that is deleted: the ids of contents. They are
 * asked for only if there was a place. Throws what files throw.
 */
export function noteSeen(local: string, origin: string, versionsOf: () => Iterable<string>): void {
  if (readPlaceOrStopped(local) === undefined) return
  const versions = [...versionsOf()].map((blob) => versionMark(origin, blob))
  // It may have been deleted before, and imported again.
  updatePlace(
    local,
    (place) => place && { ...place, seen: joinSeen(place.seen, { [markOf(origin)]: versions }) },
  )
}

/** Names a content that a file of a conversation has had. It tells nothing about the words to who does not know the origin. */
function versionMark(origin: string, blob: string): string {
  return sha256(`${origin}\n${blob}`).slice(0, VERSION_LENGTH)
}

/**
 * Whether these files of a conversation, by their paths below its folder, have words that the machines may not have had
 * that have deleted it. Its metadata do not count. False if none of them has noted what it had.
 */
export function mayBeUnseen(
  { seen }: Gone,
  origin: string,
  files: Iterable<readonly [path: string, blob: string]>,
): boolean {
  const list = seen[markOf(origin)]
  const versions = new Set(list)
  return (
    list !== undefined &&
    [...files].some(([path, blob]) => path !== RECORD.session && !versions.has(versionMark(origin, blob)))
  )
}

const VERSION_LENGTH = 12
const VERSION = /^[0-9a-f]{12}$/
/** So many versions of a conversation are read. */
const MOST_VERSIONS = 1_000

function joinSeen(one: Gone['seen'], other: Gone['seen']): Gone['seen'] {
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .sort()
      .map((mark) => [mark, [...new Set([...(one[mark] ?? []), ...(other[mark] ?? [])])].sort()]),
  )
}

/** Lets a key open the place from the next sync on, or no longer. Throws what files throw. */
export function noteReader(local: string, reader: string, isReader: boolean): void {
  updatePlace(local, (place) => {
    if (place === undefined) return place
    const { trusted = [] } = place
    const others = trusted.filter((one) => one !== reader)
    const isKnown = readersIn(place).includes(reader) === isReader
    if (isKnown && trusted.includes(reader) === isReader) return place
    const readers = isKnown ? place.readers : { ...place.readers, [reader]: (place.readers[reader] ?? 0) + 1 }
    return { ...place, readers, trusted: isReader ? [...others, reader] : others, tidies: true }
  })
}

/** Lets the next sync seal all that is at the place anew. Throws what files throw. */
export function sealAnew(local: string): void {
  updatePlace(local, (place) => place && { ...place, tidies: true })
}

/** The keys that can open the place, as all machines have said together. */
export function readersIn({ readers }: Gone): string[] {
  return Object.keys(readers).filter((reader) => readers[reader]! % 2 === 1)
}

export function isDeleted({ deleted }: Gone, mark: string): boolean {
  return (deleted[mark] ?? 0) % 2 === 1
}

/** Whether a conversation that is here was deleted on another machine, as far as this one knows. Throws `unreadable`. */
export function isDeletedElsewhere(local: string, origin: string | undefined): boolean {
  const place = readPlaceOrStopped(local)
  return place !== undefined && origin !== undefined && isDeleted(place, markOf(origin))
}

/** What two machines know together. */
export function joinGone(one: Gone, other: Gone): Gone {
  const join = (a: Record<string, number>, b: Record<string, number>) =>
    Object.fromEntries(
      [...new Set([...Object.keys(a), ...Object.keys(b)])]
        .sort()
        .map((mark) => [mark, Math.max(a[mark] ?? 0, b[mark] ?? 0)]),
    )
  return {
    deleted: join(one.deleted, other.deleted),
    redacted: join(one.redacted, other.redacted),
    readers: join(one.readers, other.readers),
    seen: joinSeen(one.seen, other.seen),
  }
}

/** Reads `Gone` from JSON that anybody may have written. */
export function goneIn(value: unknown): Gone {
  const { deleted, redacted, readers, seen } = Object(value) as Record<string, unknown>
  return {
    deleted: countsIn(deleted, MARK),
    redacted: countsIn(redacted, REDACTION),
    readers: countsIn(readers, READER),
    seen: joinSeen(versionsIn(seen), {}),
  }
}

const MARK_LENGTH = 64
const MARK = /^[0-9a-f]{64}$/
const REDACTION = /^[0-9a-f]{64}-[0-9a-f]{8}$/
/** A recipient of age; see age-encryption.org/v1. */
export const READER = /^age1[02-9ac-hj-np-z]{58}$/

function versionsIn(value: unknown): Gone['seen'] {
  const isVersion = (one: unknown) => typeof one === 'string' && VERSION.test(one)
  const lists = Object.entries(listsIn(value))
  return Object.fromEntries(
    lists.map(([mark, list]) => [mark, list.filter(isVersion).slice(0, MOST_VERSIONS)]),
  )
}

function countsIn(value: unknown, names: RegExp): Record<string, number> {
  const counts = Object.entries(Object(value)).filter(
    ([name, count]) => names.test(name) && Number.isSafeInteger(count) && Number(count) > 0,
  )
  return Object.fromEntries(counts) as Record<string, number>
}

/** The name under which a place keeps a conversation that is gone. It tells nothing about it. */
export function markOf(origin: string): string {
  return sha256(`conversation\n${origin}`)
}

function noteOf(local: string): Note<PlaceNote> {
  return { path: localFiles(local).place, parse }
}

/** Instead of the note where no place was ever chosen. */
const STOPPED = (local: string): Note<true> => ({
  path: localFiles(local).place,
  parse: (value) => (value === true ? value : undefined),
})

function parse(value: unknown): PlaceNote | undefined {
  const fields = Object(value) as Record<string, unknown>
  const { address, branch, kind, sealed, suggested, at, sent, there, left, joined, deleting } = fields
  const { trusted } = fields
  if (typeof address !== 'string' || typeof branch !== 'string') return undefined
  return {
    address,
    branch,
    ...(kind === 'folder' && { kind }),
    ...(typeof sealed === 'string' && { sealed }),
    ...(Array.isArray(trusted) && { trusted: trusted.filter((key) => READER.test(key)) }),
    ...(typeof suggested === 'string' && { suggested }),
    ...(typeof at === 'string' && { at }),
    ...(fields.fetches === true && { fetches: true }),
    ...(fields.unclean === true && { unclean: true }),
    ...(fields.tidies === true && { tidies: true }),
    ...(fields.stopped === true && { stopped: true }),
    ...(typeof sent === 'string' && { sent }),
    ...(typeof there === 'string' && { there }),
    ...(Array.isArray(left) && { left: left.filter((path) => typeof path === 'string') }),
    ...(typeof joined === 'string' && { joined }),
    deleting: listsIn(deleting),
    ...goneIn(value),
  }
}

function listsIn(value: unknown): Record<string, string[]> {
  const lists = Object.entries(Object(value)).filter(([mark, list]) => MARK.test(mark) && Array.isArray(list))
  return Object.fromEntries(lists) as Record<string, string[]>
}
