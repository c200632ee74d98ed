import { statInside } from '../../io/inside.ts'
import { RECORD } from '../../store/layout.ts'
import {
  type Left,
  type MergeCheck,
  readMergeCheck,
  writeMergeCheck,
} from '../../store/machine/git-checks.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { writeLog } from '../../store/machine/log.ts'
import { readRecord } from '../../store/record/index.ts'
import { readSession, writeSession } from '../../store/record/session-file.ts'
import { documentPath } from '../../workspace/folder.ts'
import { type Unmerged, unmergedFiles } from '../../workspace/git/merging.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type History, readHistory } from './before-merge.ts'
import { divide } from './divide.ts'
import { followMove } from './follow-move.ts'
import { type Kept, keepInGit } from './keep-in-git.ts'
import { countRecord, type Unsettled, unsettledIn } from './unsettled.ts'

/** What settleAll has done. Paths are workspace-relative. */
export interface Settled {
  /** Folders that several conversations shared. The oldest has kept `path`; `others` are the new folders. */
  apart: { path: string; others: string[]; kept: Kept }[]
  /** Conversations whose session.json had a conflict. */
  joined: { path: string; kept: Kept }[]
  /** Conversations whose session.json had the counts of only one side of the merge. */
  counted: { path: string; kept: Kept }[]
}

/**
 * Does the part of a merge that git cannot do. Joins both sides of a session.json, counts the messages of both sides,
 * and divides folders that several conversations share. Every clone gets the same files. If git and the settings allow
 * it, makes one commit. If the process is killed, the next verb that changes something does the rest, and commits what
 * was written. If the work for one conversation fails, this is logged, and the next call tries it again. Rejects with
 * git's error message.
 */
export async function settleAll(ws: Workspace, left: readonly Left[]): Promise<Settled> {
  const { root, local } = ws
  const check = readMergeCheck(local, root)
  const unmerged = await unmergedFiles(ws, RECORD.session)
  const history = await readHistory(ws, left.flatMap(sharedFolders))
  const note = (now: Pick<MergeCheck, 'left' | 'begun'>) => {
    if (check !== undefined) writeMergeCheck(local, root, { stamp: check.stamp, head: check.head, ...now })
  }
  note({ left: [...left], begun: true })
  const failed: Left[] = []
  const done: { one: Left; found: Unsettled | undefined }[] = []
  for (const one of left) {
    try {
      const found = settleOne(ws, one, { unmerged, history })
      // An earlier run may have written the files, and been killed before its commit. Then they are committed now.
      const isOurs = check?.begun === true && !unmerged.has(`${one.path}/${RECORD.session}`)
      if (found !== undefined || isOurs) done.push({ one, found })
    } catch (error) {
      failed.push(one)
      writeLog(local, `merge of ${one.path}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const kept = await keepInGit(
    ws,
    done.flatMap(({ found }) => found?.conversations[0] ?? []),
    done.flatMap(({ one }) => pathsOf(ws, one)),
  )
  note({ left: failed })
  const settledAs = (what: Unsettled['what']) =>
    done.flatMap(({ one: { path, others = [] }, found }) =>
      found?.what === what ? [{ path, others, kept }] : [],
    )
  const [joined, counts] = [settledAs('joined'), settledAs('counted')]
  return { apart: settledAs('apart'), joined: joined.map(withoutOthers), counted: counts.map(withoutOthers) }
}

function withoutOthers({ path, kept }: Settled['apart'][number]): Settled['joined'][number] {
  return { path, kept }
}

function pathsOf(ws: Workspace, { path, others, session }: Left): string[] {
  if (others === undefined) return [`${path}/${RECORD.session}`]
  const document = documentPath(path, session?.conversation_type ?? '')
  return [`${path}/${RECORD.folder}`, document, ...others].filter(
    (one) => statInside(ws.root, one) !== undefined,
  )
}

/** The folders whose history is needed: a shared folder, and the new folders for its other conversations. */
function sharedFolders({ path, others, session }: Left): { path: string; type: string }[] {
  if (others === undefined || session === undefined) return []
  return [path, ...others].map((one) => ({ path: one, type: session.conversation_type }))
}

/**
 * Does the work for one conversation. First looks at its files again, because another process may have done it. Returns
 * what was done; undefined if nothing was to do.
 */
function settleOne(
  ws: Workspace,
  { path, others = [] }: Left,
  { unmerged, history }: { unmerged: ReadonlyMap<string, Unmerged>; history: History },
): Unsettled | undefined {
  const found = unsettledIn(ws, path, { changedByGit: true, unmerged })
  if (found === undefined) return undefined
  const { what, session, conversations } = found
  if (what === 'apart') {
    divide(ws, { path, conversations, shared: session }, history)
    for (const one of [path, ...others]) followMove(ws, one)
    return found
  }
  const folder = `${ws.root}/${path}`
  withLockSync(ws.local, conversationLock(path), () => {
    // Another process may have published meanwhile.
    const now = what === 'joined' ? session : (readSession(folder)?.session ?? session)
    writeSession(folder, { ...now, ...countRecord(now, readRecord(folder)) })
  })
  return found
}
