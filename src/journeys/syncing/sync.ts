import { gitSeesRecord } from '../../conversation/held-back.ts'
import { attempt, author, hasGit, inHistory } from '../../conversation/keeping/open-history.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { localFiles, RECORD } from '../../store/layout.ts'
import {
  type Gone,
  joinGone,
  lastCommit,
  markOf,
  type PlaceNote,
  readersIn,
  readPlace,
  redactedMark,
  updatePlace,
  whileNoSync,
} from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { commitAt, commitOwn, filesOf, type OwnRepository } from '../../workspace/git/own-repository.ts'
import {
  APART,
  BASE,
  FETCHED,
  HEADS,
  JOINED,
  NEXT,
  removeMerging,
  removeRefs,
  removeUnused,
  setRef,
} from '../../workspace/git/place.ts'
import { KEY_FOLDER, type Keys, keyFolder, readKeys } from '../../workspace/keys.ts'
import type { Workspace } from '../../workspace/open.ts'
import { notePersonalUsed, personalPlace } from '../../workspace/personal-place.ts'
import { recipientOf, SEALED_FOR_OTHERS } from '../../workspace/places/age.ts'
import { isEmptyFolder } from '../../workspace/places/in-folder.ts'
import { openPlace, projectsAt } from '../../workspace/places/open-place.ts'
import type { Kind } from '../../workspace/places/place.ts'
import { checkIsElsewhere } from './choosing/elsewhere.ts'
import { notConfirmed, refusedSuggestion, unconfirmedPlace } from './choosing/suggested.ts'
import { isBehind } from './erase.ts'
import { finishDeleting } from './join.ts'
import { joinHeads } from './join-heads.ts'
import { saveAll } from './save-all.ts'
import type { Synced } from './synced.ts'

/**
 * Fetches what the place of a workspace has, joins it with what is here, and sends the result. A second call changes
 * nothing. After a kill, or an error of git, the next call does the rest. Throws `refused` without a place, `locked`,
 * what files throw, and git's errors.
 */
export async function sync(ws: Workspace, { patienceMs }: { patienceMs?: number } = {}): Promise<Synced> {
  checkCanSync(ws)
  const work = async () => {
    const { address, branch, sealed = branch } = placeOf(ws)
    const done: Synced = {
      place: { address, branch: sealed },
      sent: [],
      taken: [],
      joined: [],
      deleted: [],
      erased: [],
      redacted: [],
      conflicts: [],
      titles: [],
      renamed: [],
      keys: [],
      back: [],
      asked: [],
      retitled: [],
      unsent: [],
      unknown: [],
      unsaved: [],
      settings: [],
      settingsSent: [],
      settingsTaken: [],
      unread: [],
      readers: [],
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
  return whileNoSync(ws.local, work, patienceMs)
}

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
 * Whether a sync that has just ended, and has moved nothing, has found no conversation of this project at the place, and
 * none here that goes there.
 */
export function foundNone(ws: Workspace, isChosen: boolean): boolean {
  // Mostly a conversation is here, which says it without git.
  if (!isChosen && scanConversations(ws.root, ws.local, ws).length > 0) return false
  // What was deleted was there.
  if (Object.keys(placeOf(ws).deleted).length > 0) return false
  let files: { path: string }[] = []
  inHistory(ws, {}, (repository) => {
    files = filesOf(repository, 'all', JOINED) ?? []
  })
  return !files.some(({ path }) => path.endsWith(`/${RECORD.session}`))
}

/** Fetches, joins and sends once. Returns false if another machine has sent meanwhile. */
async function fetchAndSend(ws: Workspace, done: Synced): Promise<boolean> {
  const note = placeOf(ws)
  checkIsElsewhere(ws, note.address)
  const repository = repositoryOf(ws)
  const keys = readKeys(ws.environment)
  if (note.sealed !== undefined && keys.identities.length === 0) throw cannotOpen(ws, note.address)
  const place = openPlace(repository, note, keys)
  const there = await place.state()
  const isDone = note.tidies !== true && note.unclean !== true && done.unsaved.length === 0
  const isSame = there === note.there && lastCommit(ws.local) === note.sent && isDone
  if (there !== undefined && isSame) {
    updatePlace(ws.local, (now) => now && { ...now, at: ws.environment.now().toISOString() })
    return true
  }
  if (there === undefined && note.sent !== undefined) checkIsNotEmpty(note.kind, note.address)
  if (there === undefined && note.sealed === undefined) await checkIsOpen(repository, note)
  updatePlace(ws.local, (now) => now && { ...now, fetches: true })
  removeRefs(repository, FETCHED, NEXT, HEADS)
  const heads = there === undefined ? [] : await place.heads()
  if (heads.length === 0 && place.unread.some(({ problem }) => problem === SEALED_FOR_OTHERS))
    throw cannotOpen(ws, note.address)
  done.unread = [...place.unread]
  const { notRedacted, ...all } = await joinHeads(ws, repository, { note, place, heads }, done)
  const { joined, gone, erases, sent, apart } = all
  // While another machine has still to join a head, all that it needs stays there.
  const staysThere = (erases || note.tidies === true) && joined.length < heads.length
  const isAnew = (erases || note.tidies === true) && !staysThere
  if (staysThere) Object.assign(done, { erased: [], redacted: [] })
  if (isAnew || staysThere) updatePlace(ws.local, (now) => now && { ...now, tidies: true })
  // What the place has deleted or redacted since may still be among the objects here: what an earlier sync has fetched that
  // was killed, or was slower than another machine, and what this machine did not take part in.
  const isUnclean =
    note.unclean === true || ((note.fetches === true || note.joined !== undefined) && isBehind(note, gone))
  const { trusted, news } = note.sealed === undefined ? NOBODY : await readersOf(placeOf(ws), gone, keys)
  done.readers = news
  const readers = trusted.filter((reader) => readersIn(gone).includes(reader))
  const arrived = await place.send(joined, { isAnew, readers })
  if (arrived === undefined) return false
  const { name, state } = arrived
  if (state !== undefined) notePersonalUsed(ws.environment, note.address)
  inHistory(ws, {}, () => {
    // `JOINED` says what both sides had: of what stays apart, this machine does not have the state of the place. It is
    // never without that, also after a kill.
    const next = commitAt(repository, NEXT) && NEXT
    if (apart.length > 0) {
      setRef(repository, APART, next)
      commitOwn(repository, [{ changes: apart, message: 'not joined', who: author(ws) }], NEXT)
    }
    setRef(repository, JOINED, next)
    removeRefs(repository, FETCHED, NEXT, BASE, HEADS, ...(apart.length > 0 ? [] : [APART]))
    removeMerging(repository)
    updatePlace(ws.local, (noted) => {
      if (noted === undefined) return undefined
      const { fetches: _, tidies: __, there: ___, joined: ____, left: _____, ...now } = noted
      return {
        ...now,
        ...joinGone(now, withoutRedactionsOf(gone, notRedacted)),
        ...(note.sealed !== undefined && { trusted: now.trusted ?? trusted }),
        at: ws.environment.now().toISOString(),
        // The place does not know yet what was redacted here meanwhile, or has another head with what is gone.
        ...((isBehind(gone, now) || staysThere) && { tidies: true }),
        ...(isUnclean && { unclean: true }),
        ...(sent !== undefined && { sent }),
        ...(name !== undefined && { joined: name }),
        // Without `there`, the next sync looks again.
        ...(leftBy(done).length > 0 ? { left: leftBy(done) } : state !== undefined && { there: state }),
      }
    })
  })
  if (isUnclean) clean(ws, repository)
  return true
}

/** What of it this machine has done. */
function withoutRedactionsOf(gone: Gone, origins: ReadonlySet<string>): Gone {
  const marks = new Set([...origins].map(markOf))
  const redacted = Object.entries(gone.redacted).filter(([name]) => !marks.has(redactedMark(name)))
  return { ...gone, redacted: Object.fromEntries(redacted) }
}

/**
 * The keys besides the own ones for which this machine seals. `news`: those that the place names and this person has not
 * confirmed, or, at the first sync, all of them. Whoever has a public key may have written there.
 */
async function readersOf(
  { trusted }: PlaceNote,
  gone: Gone,
  { identities }: Keys,
): Promise<{ trusted: string[]; news: Synced['readers'] }> {
  const own = await Promise.all(identities.map(recipientOf))
  const others = readersIn(gone).filter((reader) => !own.includes(reader))
  const news = others.filter((reader) => !trusted?.includes(reader))
  return {
    trusted: trusted ?? others,
    news: news.map((reader) => ({ reader, trusted: trusted === undefined })),
  }
}

const NOBODY = { trusted: [], news: [] }

/** Removes what no reference has from the repository here. If that fails, the next sync tries again. */
function clean(ws: Workspace, repository: OwnRepository): void {
  attempt(ws, 'cleaning the history', () => {
    inHistory(ws, {}, () => removeUnused(repository))
    updatePlace(ws.local, (noted) => {
      if (noted === undefined) return undefined
      const { unclean: _, ...now } = noted
      return now
    })
  })
}

/** The error for a sealed place that no key of this machine opens. */
export function cannotOpen(ws: Workspace, address: string): CortextError {
  return new CortextError(
    'refused',
    `what is at ${oneLine(address)} is sealed for keys that this machine does not have`,
    { fix: howToBringKey(ws.environment, ws, address) },
  )
}

/**
 * Throws `not-found` if nothing at all is in the folder to which this machine has sent: a disk that is mounted there may
 * be missing.
 */
export function checkIsNotEmpty(kind: Kind | undefined, address: string): void {
  if (kind !== 'folder' || !isEmptyFolder(address)) return
  throw new CortextError('not-found', `${address} is empty, and was not when this machine last sent there`, {
    fix: paste`connect the disk, or start what copies it; to send everything there again: cortext sync --to ${address}`,
  })
}

/** Throws `refused` if a place that could be read has become a sealed one: this project would be there in plain text. */
async function checkIsOpen(repository: OwnRepository, { address, kind }: PlaceNote): Promise<void> {
  const found = await projectsAt(repository, address, { kind, makes: false, keys: { identities: [] } })
  if (found.isSealed !== true) return
  throw new CortextError('refused', `what is at ${oneLine(address)} is sealed now`, {
    fix: paste`cortext sync --to ${address} --seal`,
  })
}

/** How a machine gets the key of a sealed place. */
export function howToBringKey(environment: Environment, ws: Workspace | undefined, address: string): string {
  const hasOwn = readKeys(environment).identities.length > 0
  const here = keyFolder(environment)
  const there = `${KEY_FOLDER}/key.txt of a machine that has the key`
  // No key is made while a sealed place is set: it would not open it.
  const stops = [
    ...(ws !== undefined && readPlace(ws.local)?.sealed !== undefined ? ['cortext sync --stop; '] : []),
    ...(personalPlace(environment)?.isSealed ? ['cortext sync --stop --personal; '] : []),
  ]
  return [
    hasOwn
      ? `copy the lines of ${there} into ${here}/key.txt here`
      : `copy ${there} to ${here}/key.txt here; its folder: mkdir -p -m 700 ${here}`,
    paste`or, if a passphrase was set there, in a terminal or with CORTEXT_PASSPHRASE: cortext sync --to ${address}`,
    `or, for a key of its own, which another machine has to let in: ${hasOwn ? '' : stops.join('')}cortext sync --key`,
  ].join('\n')
}

/** What a sync has left as it was, at the place or here. */
function leftBy({ asked, unknown, unsaved, unread }: Synced): string[] {
  return [...asked, ...unknown, ...unsaved.map(({ path }) => path), ...unread.map(({ file }) => file)].slice(
    0,
    MOST_LEFT,
  )
}

/** A stranger may have made more. */
const MOST_LEFT = 100

/** Where the conversations of a workspace are sent. Throws `refused` if nobody has said it. */
export function placeOf(ws: Workspace): PlaceNote {
  const place = readPlace(ws.local)
  if (place !== undefined) return place
  const found = unconfirmedPlace(ws)
  if (found !== undefined) throw notConfirmed(found)
  const refused = refusedSuggestion(ws)
  const none = 'no place is set for the conversations of this workspace'
  throw new CortextError('refused', refused === undefined ? none : `${none}; ${refused}`, {
    fix: 'cortext sync --to <address of a git repository, or a folder>',
  })
}
