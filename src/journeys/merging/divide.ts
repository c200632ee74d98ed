import { basename } from 'node:path'
import { pathInside } from '../../io/inside.ts'
import { SessionFile } from '../../session/schema.ts'
import { apartPath } from '../../session/sharing/apart.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { divideRecord, type Part } from '../../store/record/divide.ts'
import { readRecord } from '../../store/record/index.ts'
import { readSession, writeSession } from '../../store/record/session-file.ts'
import { keepNextToDocument, readDocument, writeDocument } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { History, Past } from './before-merge.ts'
import { countRecord } from './unsettled.ts'

/** A folder with several conversations, which began under the same name in different clones. */
interface SharedFolder {
  path: string
  /** Oldest first. */
  conversations: readonly SessionFile[]
  /** The folder's session.json. */
  shared: SessionFile
}

/** A conversation, and the folder that it gets. */
interface Target extends Part {
  path: string
}

/**
 * Gives each conversation in a shared folder a folder of its own, with its messages, metadata and document. The oldest
 * keeps the folder. The new folders have the same names in every clone. Throws `locked`, and errors of reading and
 * writing files. After an error, the next call does the rest.
 */
export function divide(ws: Workspace, { path, conversations, shared }: SharedFolder, history: History): void {
  const type = shared.conversation_type
  const past = history.pastOf(
    path,
    type,
    conversations.flatMap(({ origin }) => origin ?? []),
  )
  const targets = conversations.map((one, index): Target => {
    const target = index === 0 ? path : apartPath(path, one.origin!)
    const session = { ...withPastMetadata(one, shared, past), conversation_id: basename(target) }
    return { path: target, folder: pathInside(ws.root, target), session }
  })
  const versions = targets.slice(1).map((target) => history.documentsOf(target.path, type))
  withLockSync(ws.local, conversationLock(path), () => {
    targets.slice(1).forEach(checkFree)
    divideRecord(readRecord(targets[0]!.folder, undefined, { keepRaw: true }), targets)
    for (const target of targets.toReversed()) writeDescribed(target, target.path !== path)
    divideDocument(ws.root, targets, type, { past, versions })
  })
}

/**
 * Returns a conversation's metadata. If a merge has kept only the metadata of another conversation, takes it from git's
 * history.
 */
function withPastMetadata(
  one: SessionFile,
  shared: SessionFile,
  past: ReadonlyMap<string, Past>,
): SessionFile {
  const isShared = [shared, ...(shared.merged ?? [])].some((side) => Object(side).origin === one.origin)
  const before = isShared ? undefined : past.get(one.origin!)?.session
  return before ?? one
}

/** Throws if the new folder already contains a different conversation. */
function checkFree({ folder, session }: Target): void {
  const existing = readSession(folder)?.session
  if (existing !== undefined && existing.origin !== session.origin)
    throw new Error(`${folder} is another conversation`)
}

function writeDescribed({ folder, session }: Target, isNew: boolean): void {
  // The folder may exist, because a rebase can bring the messages of one conversation in several steps.
  const existing = isNew ? readSession(folder)?.session : undefined
  const joined = existing === undefined ? session : SessionFile.parse(joinSides(existing, session))
  const { merged: _, ...one } = joined
  writeSession(folder, { ...one, ...countRecord(one, readRecord(folder)) })
}

/** What git's history contains. */
interface Versions {
  /** The conversations that have been in the shared folder, by their `origin` in session.json. */
  past: ReadonlyMap<string, Past>
  /** For each new folder, all versions of the document in it. */
  versions: readonly ReadonlySet<string>[]
}

/**
 * Gives each conversation its document from git's history, or a copy of the present document if git has none. Replaces
 * only texts that git's history contains, and texts with a conflict; if such a text has a line that the history does not
 * have, a copy stays beside it. So nothing that a person has written since is lost.
 */
function divideDocument(
  root: string,
  [kept, ...moved]: readonly Target[],
  type: string,
  { past, versions }: Versions,
): void {
  if (kept === undefined) return
  /** All documents that a conversation had, the newest first. */
  const documentsOf = ({ session }: Target) => past.get(session.origin!)?.documents ?? []
  const present = readDocument(root, kept.path, type)
  for (const [index, target] of moved.entries()) {
    const documents = documentsOf(target)
    const its = documents[0] ?? present
    const existing = readDocument(root, target.path, type)
    // What the new folder once had was changed there by a person.
    if (its === undefined || existing === its || versions[index]?.has(its) === true) continue
    if (existing === undefined || documents.includes(existing)) writeDocument(root, target.path, type, its)
    else keepNextToDocument(root, target.path, type, its)
  }
  const its = documentsOf(kept)[0]
  if (its === undefined || present === undefined) return
  const isOfAnother = moved.some((target) => documentsOf(target).includes(present))
  if (!isOfAnother && !CONFLICT.test(present)) return
  const known = [kept, ...moved].flatMap(documentsOf)
  if (!hasOnlyLinesOf(present, known)) keepNextToDocument(root, kept.path, type, present)
  writeDocument(root, kept.path, type, its)
}

/** Whether a text has nothing but the lines of these versions and marks of a conflict. */
function hasOnlyLinesOf(text: string, versions: readonly string[]): boolean {
  const known = new Set(versions.flatMap((version) => version.split('\n')))
  return text.split('\n').every((line) => known.has(line) || /^(?:<{7}|\|{7}|={7}|>{7})/.test(line))
}

const CONFLICT = /^<{7} [\s\S]*^={7}$[\s\S]*^>{7} /m
