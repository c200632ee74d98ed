import { basename } from 'node:path'
import { CortextError } from '../../errors.ts'
import { statInside } from '../../io/inside.ts'
import { conversationTrailer } from '../../session/shell/commits.ts'
import { RECORD } from '../../store/layout.ts'
import { writeLog } from '../../store/machine/log.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import {
  allEarlierPaths,
  forgetEarlierPaths,
  hasMoved,
  readEarlierPaths,
} from '../../store/machine/moved-conversation.ts'
import { sessionText, tryParse } from '../../store/record/session-file.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { moveConversationFolder } from '../../workspace/folder.ts'
import {
  commitOwn,
  contentsOf,
  filesOf,
  lastChange,
  type OwnChange,
  type OwnRepository,
} from '../../workspace/git/own-repository.ts'
import type { Workspace } from '../../workspace/open.ts'
import { otherRoots } from '../worktrees.ts'
import { author, inHistory } from './open-history.ts'
import { ownAmong } from './whose.ts'

/** A conversation whose folder a person has moved or renamed since it was saved. */
export interface Moved {
  entry: Entry
  /** The path of the folder in the last commit; absent if the conversation was never committed. */
  from?: string
  /** All paths that it has had since then; another work tree may have it at any of them. */
  earlier: readonly string[]
}

/**
 * Finds the moved folders among what a scan of this work tree has found. Another worktree may still have a folder under
 * an earlier name, which is no move. Throws `locked` and git's errors.
 */
export function movedSinceHistory(ws: Workspace, entries: readonly Entry[]): Moved[] {
  const moved: Moved[] = []
  const isNoted = hasMoved(ws.local)
  if (!isNoted && entries.every(({ before }) => before === undefined)) return []
  inHistory(ws, {}, (repository) => {
    for (const entry of entries) {
      const earlier = isNoted ? allEarlierPaths(ws.local, entry) : (entry.before ?? [])
      if (earlier.length === 0) continue
      const from = savedFrom(ws, repository, entry, earlier)
      if (from !== undefined) moved.push({ entry, from, earlier })
      else if (wasNeverSaved(ws, repository, entry, earlier)) moved.push({ entry, earlier })
    }
  })
  return moved
}

function savedFrom(
  ws: Workspace,
  repository: OwnRepository,
  { path, session }: Entry,
  earlier: readonly string[],
): string | undefined {
  const [from] = ownAmong(repository, earlier, session?.origin)
  if (from === undefined || ownAmong(repository, [path], undefined).length > 0) return undefined
  // If this path was in the history before, the conversation has got the other one since, in another work tree.
  const isElsewhere = otherRoots(ws).some((root) => statInside(root, from) !== undefined)
  const hadIt = isElsewhere && lastChange(repository, `${path}/${RECORD.session}`) > 0
  return hadIt ? undefined : from
}

/** Whether a conversation is in no commit, and this machine still knows it at an earlier path. */
function wasNeverSaved(
  { local }: Workspace,
  repository: OwnRepository,
  { path, session, before = [] }: Entry,
  earlier: readonly string[],
): boolean {
  const [its, any] = [ownAmong(repository, earlier, session?.origin), ownAmong(repository, [path], undefined)]
  return its.length + any.length === 0 && before.some((one) => readMetadataBackup(local, one) !== undefined)
}

/** A work tree, and what a scan has found in it. */
export interface TreeEntries {
  root: string
  entries: readonly Entry[]
}

/**
 * Gives a conversation whose folder was moved the same path in other work trees, which may have it under an earlier name,
 * or under one that the person gave it there. Where that is not possible, as with a file that is open on Windows, it stays
 * there.
 */
export function moveInTrees(
  local: string,
  trees: readonly TreeEntries[],
  moved: Renamed,
  earlier: readonly string[],
): void {
  for (const { root, entries } of trees) {
    const there = entries.find(({ path, session }) => isIt(moved, earlier, path, session?.origin))?.path
    const isThere = (folder: string) => statInside(root, folder) !== undefined
    try {
      if (there !== undefined && isThere(there) && !isThere(moved.path))
        moveConversationFolder(root, there, moved.path)
    } catch (error) {
      if (!(error instanceof CortextError)) throw error
      writeLog(local, `moving a folder in ${root}: ${error.message}`)
    }
  }
}

interface Renamed {
  path: string
  origin: string | undefined
}

/** Whether what has a path is this conversation: another one may have got an earlier name of it. */
export function isIt(
  { origin }: Renamed,
  earlier: readonly string[],
  path: string,
  its: string | undefined,
): boolean {
  return its === undefined || origin === undefined ? earlier.includes(path) : its === origin
}

/**
 * Before a conversation is committed: if a move of its folder is noted, commits the move, with what all work trees have
 * saved, and moves the folders in the others. Throws `locked`, what files throw, and git's errors.
 */
export function keepMove(ws: Workspace, moved: Renamed): void {
  const earlier = readEarlierPaths(ws.local, moved.path)
  if (earlier.length === 0) return
  let from: string | undefined
  inHistory(ws, {}, (repository) => {
    const isThere = ownAmong(repository, [moved.path], undefined).length > 0
    from = isThere ? undefined : ownAmong(repository, earlier, moved.origin)[0]
  })
  if (from === undefined) return
  const scan = (root: string) => scanConversations(root, ws.local, { mayWrite: false })
  moveInTrees(
    ws.local,
    otherRoots(ws).map((root) => ({ root, entries: scan(root) })),
    moved,
    earlier,
  )
  moveInHistory(ws, from, moved.path)
}

/**
 * Commits that a conversation has another folder, with what was saved of it: one work tree has this of it, another one
 * that. Throws `locked` and git's errors.
 */
export function moveInHistory(ws: Workspace, from: string, to: string): void {
  inHistory(ws, {}, (repository) => {
    const changes = (filesOf(repository, [from]) ?? []).flatMap((file): OwnChange[] => {
      const path = to + file.path.slice(from.length)
      const text = path === `${to}/${RECORD.session}` ? renamed(repository, file, to) : undefined
      const moved = text === undefined ? { path, blob: file.blob } : { path, bytes: Buffer.from(text) }
      return [{ path: file.path, bytes: undefined }, moved]
    })
    const message = `[conversation] moved\n\n${conversationTrailer(to)}`
    if (changes.length > 0) commitOwn(repository, [{ changes, message, who: author(ws) }])
    forgetEarlierPaths(ws.local, to)
  })
}

/** A session.json with the id of its new folder; undefined if it cannot be read. */
function renamed(
  repository: OwnRepository,
  file: { path: string; blob: string },
  to: string,
): string | undefined {
  const session = Object(tryParse(contentsOf(repository, [file])[0]!.toString('utf8')))
  return sessionText({ ...session, conversation_id: basename(to) })
}
