import { basename } from 'node:path'
import { clientList } from '../../clients/index.ts'
import { keepReceived } from '../../conversation/keeping/history.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { otherRoots } from '../../conversation/worktrees.ts'
import { sha256 } from '../../hash.ts'
import {
  MAX_LINES,
  pathInside,
  readBytesInside,
  removeInside,
  statInside,
  writeInside,
} from '../../io/inside.ts'
import { joinLines } from '../../session/sharing/join-lines.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { RECORD } from '../../store/layout.ts'
import { keepDocuments, keepRecord } from '../../store/machine/copies.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { moveConversation } from '../../store/machine/moved-conversation.ts'
import { readRecord } from '../../store/record/index.ts'
import { readSession, sessionText, tryParse, writeSession } from '../../store/record/session-file.ts'
import { moveConversationFolder } from '../../workspace/folder.ts'
import { contentsOf, type OwnRepository } from '../../workspace/git/own-repository.ts'
import { mergeTexts } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { renderPack } from '../../workspace/pack/index.ts'
import { readManifest } from '../../workspace/pack/manifest.ts'
import { personalIds } from '../../workspace/pack/personal.ts'
import { linkedName } from '../../workspace/repository.ts'
import { applyVisibility, hiddenPaths } from '../../workspace/visibility.ts'
import { countRecord } from '../merging/unsettled.ts'
import { setUpClients } from '../setup/set-up-clients.ts'
import type { Coming } from './plan.ts'
import type { Sent, Sides } from './sides.ts'

/** Returns the contents with these ids. */
type Contents = (blob: string | undefined) => Buffer | undefined

/**
 * Writes conversations as the place and this machine have them together, and commits them to the history. After a kill,
 * the next call does the rest. Throws `locked`, what files throw, and git's errors.
 */
export function receive(ws: Workspace, repository: OwnRepository, coming: readonly Coming[]): void {
  for (let at = 0; at < coming.length; at += AT_A_TIME) {
    const some = coming.slice(at, at + AT_A_TIME)
    const contents = readContents(
      repository,
      some.flatMap(({ base, ours, theirs }) => [base, ours, theirs]),
    )
    const written = some.map((step) => receiveOne(ws, repository, step, contents))
    // Not under the locks of the conversations, because a publishing takes these first.
    inHistory(ws, {}, () => keepReceived(ws, repository, written))
  }
}

/** So many conversations are read and committed at a time. */
const AT_A_TIME = 50

function readContents(repository: OwnRepository, sides: readonly (Sent | undefined)[]): Contents {
  const files = sides.flatMap((side) => [...(side?.files ?? [])].map(([path, blob]) => ({ path, blob })))
  const bytes = contentsOf(repository, files)
  const byBlob = new Map(files.map(({ blob }, index) => [blob, bytes[index]!]))
  return (blob) => (blob === undefined ? undefined : byBlob.get(blob))
}

function receiveOne(ws: Workspace, repository: OwnRepository, step: Coming, contents: Contents) {
  const { path, ours } = step
  if (ours !== undefined && ours.path !== path) moveEverywhere(ws, ours.path, path)
  return withLockSync(ws.local, conversationLock(path), () => {
    const roots = [ws.root, ...otherRoots(ws)].filter((root) => statInside(root, path) !== undefined)
    const written = roots.length === 0 ? [ws.root] : roots
    for (const root of written) joinFolder(ws, repository, root, step, contents)
    return { root: written[0]!, path }
  })
}

function joinFolder(
  ws: Workspace,
  repository: OwnRepository,
  root: string,
  { path, base, ours, theirs }: Coming,
  contents: Contents,
): void {
  // Of a folder that is gone, the history has all files.
  const isThere = statInside(root, path) !== undefined
  const onDisk = (name: string) => readBytesInside(root, `${path}/${name}`, MAX_LINES)
  const here = (name: string) => (isThere ? onDisk(name) : contents(ours?.files.get(name)))
  const names = new Set(
    [base, isThere ? undefined : ours, theirs].flatMap((side) => [...(side?.files.keys() ?? [])]),
  )
  // The lines come before the counts of them.
  for (const name of [...names].sort((a, b) => Number(a === SESSION) - Number(b === SESSION))) {
    const [old, own, their] = [contents(base?.files.get(name)), here(name), contents(theirs.files.get(name))]
    const joined = joinFile(repository, name, old, own, their)
    if (joined === undefined) removeInside(root, `${path}/${name}`)
    else if (!isThere || own === undefined || !joined.bytes.equals(own))
      writeInside(root, `${path}/${name}`, joined.bytes)
    if (joined?.other !== undefined) writeInside(root, `${path}/${besides(name, joined.other)}`, joined.other)
  }
  const folder = pathInside(root, path)
  const session = readSession(folder)?.session
  if (session === undefined) return
  const counted = { ...session, conversation_id: basename(path), ...countRecord(session, readRecord(folder)) }
  writeSession(folder, counted)
  writeMetadataBackup(ws.local, path, counted)
  keepRecord(ws.local, root, path)
  keepDocuments(ws.local, root, path, linkedName(root))
}

const SESSION = RECORD.session

/**
 * Joins two versions of a file. `other`: the version of the place, where both have changed the same lines. Undefined: it
 * was removed on one side, and is as it was on the other.
 */
function joinFile(
  repository: OwnRepository,
  name: string,
  base: Buffer | undefined,
  ours: Buffer | undefined,
  theirs: Buffer | undefined,
): { bytes: Buffer; other?: Buffer } | undefined {
  if (isEqual(ours, theirs) || isEqual(theirs, base)) return ours && { bytes: ours }
  if (isEqual(ours, base) || ours === undefined) return theirs && { bytes: theirs }
  if (theirs === undefined) return { bytes: ours }
  if (name === SESSION) return { bytes: joinSessions(base, ours, theirs) }
  if (name.endsWith('.jsonl')) {
    // In latin1 each byte is one character, so what is no UTF-8 stays as it is.
    const [o, a, b] = [base ?? Buffer.of(), ours, theirs].map((bytes) => bytes.toString('latin1'))
    return { bytes: Buffer.from(joinLines(o!, a!, b!), 'latin1') }
  }
  const merged = base && mergeTexts(repository, base, ours, theirs)
  return merged === undefined ? { bytes: ours, other: theirs } : { bytes: merged }
}

function joinSessions(base: Buffer | undefined, ours: Buffer, theirs: Buffer): Buffer {
  const [o, a, b] = [base, ours, theirs].map((bytes) => bytes && tryParse(bytes.toString('utf8')))
  const text = sessionText(joinSides(a, b, o))
  return text === undefined ? ours : Buffer.from(text)
}

function isEqual(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

/** The name for the other version of a file: `notes.md` becomes `notes-1a2b3c4d.md`. */
function besides(name: string, bytes: Buffer): string {
  const mark = sha256(bytes).slice(0, 8)
  return /[^/.]\.[^/.]+$/.test(name) ? name.replace(/(\.[^/.]+)$/, `-${mark}$1`) : `${name}-${mark}`
}

/** Gives a conversation another path, in all worktrees and in the history. Throws `locked`, and what files throw. */
export function moveApart(ws: Workspace, repository: OwnRepository, from: string, to: string): void {
  const [root] = moveEverywhere(ws, from, to)
  if (root !== undefined) inHistory(ws, {}, () => keepReceived(ws, repository, [{ root, path: to }]))
}

/** Returns the roots of the work trees that have the conversation. */
function moveEverywhere(ws: Workspace, from: string, to: string): string[] {
  const roots = [ws.root, ...otherRoots(ws)].filter((root) => statInside(root, from) !== undefined)
  for (const root of roots) {
    moveConversationFolder(root, from, to)
    const folder = pathInside(root, to)
    const session = readSession(folder)?.session
    if (session !== undefined) writeSession(folder, { ...session, conversation_id: basename(to) })
  }
  moveConversation(ws.local, from, to, () => true, basename(to))
  return roots
}

/**
 * Writes or removes settings, types, commands and prompts that only the place has changed, and renders the commands for the clients
 * that are set up. Returns their paths, and those that both have changed: they stay as they are here.
 */
export function receiveSettings(
  ws: Workspace,
  repository: OwnRepository,
  { base, ours, theirs }: Sides,
): { taken: string[]; kept: string[] } {
  const changed = [...theirs.settings].filter(([path, blob]) => ours.settings.get(path) !== blob)
  const taken = changed.filter(([path]) => ours.settings.get(path) === base.settings.get(path))
  const contents = contentsOf(
    repository,
    taken.map(([path, blob]) => ({ path, blob })),
  )
  for (const [index, [path]] of taken.entries()) writeInside(ws.root, path, contents[index]!)
  const removed = [...ours.settings].filter(
    ([path, blob]) =>
      base.settings.get(path) === blob && !theirs.settings.has(path) && !path.startsWith(PROMPTS),
  )
  for (const [path] of removed) removeInside(ws.root, path)
  if (taken.length + removed.length > 0) {
    renderPack(ws, setUpClients(ws), { personal: personalIds(ws.environment, clientList()) })
    // A type may have a folder of its own.
    applyVisibility(ws.root, ws.config.visibility, hiddenPaths(ws.root, readManifest(ws.root, ws.local)))
  }
  const kept = changed.filter((one) => !taken.includes(one) && base.settings.get(one[0]) !== one[1])
  return { taken: [...taken, ...removed].map(([path]) => path), kept: kept.map(([path]) => path) }
}

/** Versions of commands that conversations name. They never change, and nobody removes them. */
const PROMPTS = '.workspace/prompts/'
