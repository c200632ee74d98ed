import { gitSeesRecord } from '../../conversation/held.ts'
import { eraseFolders } from '../../conversation/keeping/erase-history.ts'
import { keepAllInHistory } from '../../conversation/keeping/history.ts'
import { author, hasGit, inHistory } from '../../conversation/keeping/open-history.ts'
import { CortextError } from '../../errors.ts'
import { MAJOR_VERSION } from '../../session/schema.ts'
import { localFiles } from '../../store/layout.ts'
import { withLock } from '../../store/machine/locks/lock.ts'
import { markOf, type PlaceNote, readPlace, writePlace } from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import { countOf } from '../../text/count-of.ts'
import { commitOwn, type OwnRepository } from '../../workspace/git/own-repository.ts'
import {
  branchesAt,
  commitAt,
  FETCHED,
  fetchPlace,
  isOvertaken,
  JOINED,
  NEXT,
  sendNext,
  setRef,
  tidyPlace,
} from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readRegistry } from '../../workspace/registry.ts'
import { deleteConversation } from '../editing/delete.ts'
import { redactHistory, redactRecord } from '../editing/redact.ts'
import { type Coming, isSame, planJoin } from './plan.ts'
import { moveApart, receive, receiveSettings } from './receive.ts'
import { changesToSend } from './send.ts'
import { type Gone, type Sent, type Side, sideOf } from './sides.ts'

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
  /** Deleted on another machine, with words here that were never sent. */
  asked: string[]
  /** Of a type that is not in the registry here, or of a newer program: they stay at the place. */
  unknown: string[]
  /** Settings that both sides have changed. Those of this machine were sent. */
  settings: string[]
}

/**
 * Fetches what the place of a workspace has, joins it with what is here, and sends the result. A second call changes
 * nothing. After a kill, or an error of git, the next call does the rest. Throws `refused` without a place, `locked`,
 * what files throw, and git's errors.
 */
export async function sync(ws: Workspace): Promise<Synced> {
  checkCanSync(ws)
  return withLock(ws.local, 'sync', async () => {
    const { address, branch } = placeOf(ws)
    const done: Synced = {
      place: { address, branch },
      sent: [],
      taken: [],
      joined: [],
      deleted: [],
      asked: [],
      unknown: [],
      settings: [],
    }
    finishDeleting(ws)
    keepAllInHistory(ws)
    for (let tries = 1; ; tries += 1)
      try {
        await fetchAndSend(ws, done)
        return done
      } catch (error) {
        if (!isOvertaken(error) || tries === MAX_TRIES) throw error
      }
  })
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

/** Fetches, joins and sends once. Rejects if another machine sends meanwhile; see `isOvertaken`. */
async function fetchAndSend(ws: Workspace, done: Synced): Promise<void> {
  const place = placeOf(ws)
  const repository = repositoryOf(ws)
  const there = (await branchesAt(repository, place.address)).get(place.branch)
  if (there === undefined) setRef(repository, FETCHED, undefined)
  else await fetchPlace(repository, place)
  const redacted = await redactBoth(ws, repository, place)
  eraseDeleted(ws, repository, place)
  const left = await joinAll(ws, repository, done)
  const gone = prepare(ws, repository, left, { ...place, redacted }, done)
  const next = commitAt(repository, NEXT)
  if (next !== undefined && next !== there) await sendNext(repository, place, there)
  if (place.toDelete.length + place.toRedact.length > 0) tidyPlace(repository, place)
  inHistory(ws, {}, () => {
    setRef(repository, JOINED, next === undefined ? undefined : NEXT)
    for (const ref of [NEXT, FETCHED]) setRef(repository, ref, undefined)
    const now = placeOf(ws)
    writePlace(ws.local, {
      ...{ ...now, ...gone, at: ws.environment.now().toISOString() },
      // What was deleted or redacted meanwhile waits for the next sync.
      toDelete: now.toDelete.filter((mark) => !gone.deleted.includes(mark)),
      toRedact: now.toRedact.filter((mark) => !place.toRedact.includes(mark)),
    })
  })
}

/** Where the conversations of a workspace are sent. Throws `refused` if nobody has said it. */
function placeOf({ local }: Workspace): PlaceNote {
  const place = readPlace(local)
  if (place === undefined)
    throw new CortextError('refused', 'nobody has said where the conversations go', {
      fix: 'cortext sync --to <address of a git repository, or a folder>',
    })
  return place
}

/**
 * Redacts here what was redacted on another machine, and at the place what was redacted here. Returns how often each
 * conversation was redacted, on all machines.
 */
async function redactBoth(
  ws: Workspace,
  repository: OwnRepository,
  { toRedact, redacted }: PlaceNote,
): Promise<Record<string, number>> {
  const counts = { ...redacted }
  const [ours, theirs] = sidesOf(ws, repository)
  for (const [origin, { path }] of ours.conversations) {
    const mark = markOf(origin)
    const [known, there] = [redacted[mark] ?? 0, theirs.gone.redacted[mark] ?? 0]
    if (there > known) await redactRecord(ws, path, { isNews: false })
    else if (toRedact.includes(mark)) redactHistory(ws, path)
    counts[mark] = Math.max(known, there) + Number(toRedact.includes(mark))
    if (counts[mark] === 0) delete counts[mark]
  }
  return { ...theirs.gone.redacted, ...counts }
}

/** Takes what was deleted here out of the history of the place. */
function eraseDeleted(ws: Workspace, repository: OwnRepository, { toDelete }: PlaceNote): void {
  if (toDelete.length === 0) return
  const [, theirs] = sidesOf(ws, repository)
  for (const [origin, { path }] of theirs.conversations)
    if (toDelete.includes(markOf(origin))) eraseFolders(ws, [path])
}

/** Joins what the place has into this machine. Returns the origins of the conversations that stay at the place only. */
async function joinAll(ws: Workspace, repository: OwnRepository, done: Synced): Promise<Set<string>> {
  const [ours, theirs, base] = sidesOf(ws, repository)
  const { toDelete, deleted } = placeOf(ws)
  done.settings = receiveSettings(ws, repository, { base, ours, theirs })
  const folders = [...readRegistry(ws.root).types.values()].map(({ folder }) => `${folder}/`)
  const left = new Set<string>()
  const coming: Coming[] = []
  for (const step of planJoin(
    base,
    { ...ours, gone: { ...ours.gone, deleted: [...toDelete, ...deleted] } },
    theirs,
  )) {
    const path = 'path' in step ? step.path : step.ours.path
    if (step.do === 'move') moveApart(ws, repository, step.ours.path, step.path)
    else if (step.do === 'delete') {
      noteDeleting(ws, [markOf(step.origin)])
      deleteConversation(ws, path, { keepsHistory: !step.erases, isNews: false })
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
  receive(ws, repository, coming)
  for (const step of coming) (step.do === 'take' ? done.taken : done.joined).push(step.path)
  return left
}

function isNewer({ session }: Sent): boolean {
  return Number.parseInt(String(session.version), 10) > MAJOR_VERSION
}

/** Notes what is being deleted. Throws what files throw. */
function noteDeleting(ws: Workspace, deleting: string[]): void {
  const place = placeOf(ws)
  if (place.deleting.length + deleting.length > 0) writePlace(ws.local, { ...place, deleting })
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

/** Makes the commit that is sent. Returns what is deleted and redacted now. */
function prepare(
  ws: Workspace,
  repository: OwnRepository,
  left: ReadonlySet<string>,
  { toDelete, deleted, redacted }: PlaceNote,
  done: Synced,
): Gone {
  keepAllInHistory(ws)
  const [all, theirs, base] = sidesOf(ws, repository)
  const conversations = new Map([...all.conversations].filter(([origin]) => !left.has(origin)))
  const ours = { ...all, conversations }
  const marks = new Set([...theirs.gone.deleted, ...deleted, ...toDelete])
  const gone: Gone = { deleted: [...marks], redacted }
  const changes = changesToSend({ base, ours, theirs }, gone, left)
  done.sent = [...conversations]
    .filter(([origin, one]) => !isSame(one, theirs.conversations.get(origin)))
    .map(([, { path }]) => path)
  const what = done.sent.length === 0 ? 'up to date' : countOf(done.sent.length, 'conversation')
  inHistory(ws, {}, () => {
    setRef(repository, NEXT, commitAt(repository, FETCHED) && FETCHED)
    if (changes.length > 0)
      commitOwn(repository, [{ changes, message: `[sync] ${what}`, who: author(ws) }], NEXT)
  })
  return gone
}

/** What this machine has, what the place has, and what both had when they were joined last. */
function sidesOf(ws: Workspace, repository: OwnRepository): [ours: Side, theirs: Side, base: Side] {
  const sides: Side[] = []
  inHistory(ws, {}, () => {
    for (const ref of [undefined, FETCHED, JOINED]) sides.push(sideOf(repository, ref))
  })
  return sides as [Side, Side, Side]
}
