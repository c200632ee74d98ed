import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { listAllNames } from '../../io/list-names.ts'
import { fileNameOf, localFiles } from '../layout.ts'
import { type Binding, updateBinding } from './binding.ts'
import { moveCopies } from './copies.ts'
import { listBindings } from './list-bindings.ts'
import { conversationLock, withLockSync } from './locks/lock.ts'
import { copyMetadata, readMetadataBackup, removeMetadataBackup } from './metadata-backup.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'
import { forgetPage } from './pages.ts'
import { pendingTurnFile } from './pending-turn.ts'
import { forgetPublished } from './published.ts'
import { forgetUnpublished } from './unpublished.ts'

/** Like `moveUnderLock`, for a caller without the lock of the conversation at `from`. Throws `locked` too. */
export function moveConversation(...move: Parameters<typeof moveUnderLock>): void {
  const [local, from] = move
  withLockSync(local, conversationLock(from), () => moveUnderLock(...move))
}

/**
 * Gives the bindings, the pending turn and the metadata backup of a conversation the new path of its folder, takes
 * its copies along, and removes its files that can be made again. The backup also gets the new `id`, if there is one.
 * Both paths are workspace-relative. In another worktree the folder may not have moved. So if `isOurs` is false for a
 * binding, this binding and the backup stay as they are, and nothing is removed. A second call changes nothing; after a
 * kill, the next call does what is left. The caller holds the lock of the conversation at `from`. Throws what files
 * throw.
 */
export function moveUnderLock(
  local: string,
  from: string,
  to: string,
  isOurs: (binding: Binding) => boolean,
  id?: string,
): void {
  const [there, own] = [to, from].map((path) => readMetadataBackup(local, path)?.session.origin)
  // Another conversation has that path.
  if (there !== undefined && own !== undefined && there !== own) return
  const concerned = listBindings(local).filter(({ segments }) =>
    segments.some(({ conversation }) => conversation === from),
  )
  for (const { client, native_id } of concerned.filter(isOurs))
    updateBinding(local, client, native_id, (now) => now && withNewPath(now, from, to))
  movePendingTurn(local, from, to)
  // The backup moves after the bindings and the pending turn. As long as it has the old path, a scan reports that the
  // folder has moved.
  if (readMetadataBackup(local, from) === undefined || !concerned.every(isOurs)) return
  copyMetadata(local, from, to, id)
  moveCopies(local, from, to)
  noteEarlierPath(local, from, to)
  forgetPublished(local, from)
  forgetUnpublished(local, from)
  forgetPage(local, from)
  // The old backup is removed last. After a kill, it shows that the next call must do the rest.
  removeMetadataBackup(local, from)
}

function withNewPath(binding: Binding, from: string, to: string): Binding {
  const segments = binding.segments.map((segment) =>
    segment.conversation === from ? { ...segment, conversation: to } : segment,
  )
  return { ...binding, segments }
}

/** Renames the file of a pending turn. The file still contains the old path, which only people read. */
function movePendingTurn(local: string, from: string, to: string): void {
  const [before, after] = [pendingTurnFile(local, from), pendingTurnFile(local, to)]
  if (!existsSync(before) || existsSync(after)) return
  try {
    renameSync(before, after)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, before, 'write')
  }
}

/**
 * The paths that a conversation had when it was committed to the history of the workspace, since its folder was moved. A
 * note per conversation, which the next commit removes.
 */
export function readEarlierPaths(local: string, path: string): string[] {
  return readNote(noteOf(local, path)) ?? []
}

/**
 * All paths that a conversation had since it was committed. `before` are those that a scan has found, which are not noted
 * yet; what was noted for one of them is among the result.
 */
export function allEarlierPaths(
  local: string,
  { path, before = [] }: { path: string; before?: readonly string[] },
): string[] {
  const all = [...before, ...[path, ...before].flatMap((one) => readEarlierPaths(local, one))]
  return [...new Set(all)].filter((one) => one !== path)
}

/** Whether the folder of any conversation was moved since it was committed. */
export function hasMoved(local: string): boolean {
  return listAllNames(localFiles(local).earlierPaths, '.json').length > 0
}

/**
 * Notes that the folder of a conversation was moved, if there is a history. It may have come back to a path that it had.
 * Throws `unwritable`.
 */
function noteEarlierPath(local: string, from: string, to: string): void {
  if (!existsSync(localFiles(local).history)) return
  const paths = new Set([...readEarlierPaths(local, to), ...readEarlierPaths(local, from), from])
  paths.delete(to)
  if (paths.size > 0) writeNote(local, noteOf(local, to), [...paths])
  else forgetEarlierPaths(local, to)
  forgetEarlierPaths(local, from)
}

/** Throws `unwritable`. */
export function forgetEarlierPaths(local: string, path: string): void {
  removeNote(noteOf(local, path))
}

function noteOf(local: string, path: string): Note<string[]> {
  return { path: join(localFiles(local).earlierPaths, `${fileNameOf(path)}.json`), parse }
}

function parse(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((path) => typeof path === 'string') ? value : undefined
}
