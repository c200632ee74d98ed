import { CortextError } from '../../errors.ts'
import { readInside } from '../../io/inside.ts'
import { SessionFile } from '../../session/schema.ts'
import { conversationsIn } from '../../session/sharing/apart.ts'
import { joinSides } from '../../session/sharing/join-sides.ts'
import { RECORD } from '../../store/layout.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { writeLog } from '../../store/machine/log.ts'
import { type LookedAt, writeLookedAt } from '../../store/machine/looked-at.ts'
import { readRecord } from '../../store/record/index.ts'
import { readSession, tryParse, writeSession } from '../../store/record/session-file.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { changedSince, unmergedVersions } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'
import { counted } from './counted.ts'
import { divide } from './divide.ts'
import { followMove } from './follow-move.ts'
import { type Kept, keepInGit } from './keep-in-git.ts'

/** What was left to do after git merged, and is done. Paths are workspace-relative. */
export interface Settled {
  /** Conversations that began under one name: the one that keeps its folder, and the folders of the others. */
  apart: { path: string; others: string[]; kept: Kept }[]
  /** Conversations of whose session.json git had kept two sides. */
  joined: { path: string; kept: Kept }[]
  /** Conversations whose numbers were those of one side. */
  counted: { path: string; kept: Kept }[]
}

/**
 * Does what git cannot know: joins both sides of a session.json, counts what two sides have said, and gives each of
 * several conversations that began under one name a folder of its own. Every clone comes to the same files. It looks
 * only at what has changed since `before`, when git's index was not yet that of `stamp`.
 * A conversation that cannot be settled is logged, and looked at again the next time. Never throws for one.
 */
export async function settleAll(
  ws: Workspace,
  stamp: string,
  before: LookedAt | undefined,
): Promise<Settled> {
  const settled: Settled = { apart: [], joined: [], counted: [] }
  const { root, environment } = ws
  const { head, paths } = await changedSince(root, environment.env, before?.head, [
    RECORD.session,
    RECORD.messages,
  ])
  const changed = new Set(paths.map((path) => path.replace(/\/\.session\/[^/]*$/, '')))
  const entries = scanConversations(root, ws.local, ws)
  const looked = before?.head === undefined ? newest(entries) : new Set<Entry>()
  let failed = false
  for (const entry of entries) {
    if (!changed.has(entry.path) && !looked.has(entry) && !isLeft(entry)) continue
    try {
      await settleOne(ws, entry.path, { settled, merged: changed.has(entry.path) })
    } catch (error) {
      failed = true
      writeLog(ws.local, `merge of ${entry.path}: ${error instanceof Error ? error.message : error}`)
    }
  }
  if (!failed) writeLookedAt(ws.local, root, { stamp, head })
  return settled
}

/** In a clone that was never looked at nothing tells what a merge has changed. So many are read, once. */
function newest(entries: readonly Entry[]): Set<Entry> {
  const time = ({ session }: Entry) => Date.parse(session?.last_active ?? '') || 0
  return new Set(entries.toSorted((a, b) => time(b) - time(a)).slice(0, FIRST_LOOK))
}

const FIRST_LOOK = 200

/** A session.json tells by itself that a merge has left something to do. */
function isLeft({ session, problem }: Entry): boolean {
  return session !== undefined && (session.merged === true || problem !== undefined)
}

/** So many people do not begin under one name. What claims it was not made by git. */
const MOST = 20

/** `merged`: git has changed the files. Only then numbers that do not fit are those of one side. */
async function settleOne(
  ws: Workspace,
  path: string,
  { settled, merged }: { settled: Settled; merged: boolean },
): Promise<void> {
  const folder = `${ws.root}/${path}`
  const found = await sessionOf(ws, path, folder)
  if (found === undefined) return
  const { session, conflict } = found
  const record = readRecord(folder, undefined, true)
  const conversations = conversationsIn(path, session, record.lines)
  if (conversations.length > MOST) throw new Error(`it would be ${conversations.length} conversations`)
  if (conversations.length > 1) {
    const { others, changed } = await divide(ws, { path, conversations, told: session })
    for (const one of [path, ...others]) followMove(ws, one)
    settled.apart.push({ path, others, kept: await keepInGit(ws, conversations[0]!, changed) })
    return
  }
  followMove(ws, path)
  const { message_count } = counted(session, record)
  // What stands in `merged` and is no conversation would keep the folder from being settled for ever.
  const joined = conflict || session.merged !== undefined
  if (!joined && (!merged || message_count === session.message_count)) return
  withLockSync(ws.local, `conversation/${path}`, () => {
    // Somebody may have published meanwhile.
    const now = joined ? conversations[0]! : (readSession(folder)?.session ?? session)
    writeSession(folder, { ...now, ...counted(now, readRecord(folder)) })
  })
  const kept = await keepInGit(ws, session, [`${path}/${RECORD.session}`])
  settled[joined ? 'joined' : 'counted'].push({ path, kept })
}

/**
 * The metadata of a folder, with both sides of a conflict joined by what git knows of them. Undefined where there is
 * nothing to settle: it cannot be read, a newer program wrote it, or a person is at work on the conflict.
 */
async function sessionOf(ws: Workspace, path: string, folder: string) {
  const read = readIfWhole(folder)
  if (read === undefined || !read.writable || read.halved === true) return undefined
  const marked = read.problems.length > 0
  const { root, environment } = ws
  const versions = await unmergedVersions(root, environment.env, `${path}/${RECORD.session}`)
  if (versions === undefined) return { session: read.session, conflict: marked }
  // A driver that was killed leaves our side as it was. Anything else without marks is what a person makes of it.
  if (!marked && versions.ours !== readInside(folder, RECORD.session)) return undefined
  const [ours, theirs, base] = [versions.ours, versions.theirs, versions.base].map(
    (text) => text && tryParse(text),
  )
  if (ours === undefined || theirs === undefined) return undefined
  const session = SessionFile.safeParse(joinSides(ours, theirs, base)).data
  return session && { session, conflict: true }
}

function readIfWhole(folder: string) {
  try {
    return readSession(folder)
  } catch (error) {
    // It is told and mended as any broken session.json.
    if (error instanceof CortextError && error.code === 'corrupt') return undefined
    throw error
  }
}
