import { conversationTrailer } from '../../session/shell/commits.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { readEarlierPaths } from '../../store/machine/moved-conversation.ts'
import {
  BRANCH,
  type Changes,
  changeOwn,
  commitOwn,
  eraseOwn,
  filesOf,
  type OwnRepository,
} from '../../workspace/git/own-repository.ts'
import { APART, FETCHED, HEADS, JOINED } from '../../workspace/git/place.ts'
import type { Concerned } from '../../workspace/git/rewrite-history.ts'
import type { Workspace } from '../../workspace/open.ts'
import { foldersElsewhere } from '../worktrees.ts'
import { author, inHistory } from './open-history.ts'
import { foldersOfOrigin, othersAmong, ownAmong } from './whose.ts'

/**
 * Takes a conversation out of the history, so that no byte of it is left there. With `sparesFetched`, what was fetched
 * from the place stays: it may have a later conversation in that folder. Throws `locked` and git's errors; the history is
 * as it was then.
 */
export function eraseFromHistory(ws: Workspace, path: string, { sparesFetched = false } = {}): void {
  inHistory(ws, {}, (repository) =>
    eraseOwn(repository, concerned(ws, repository, path), sparesFetched ? [FETCHED, HEADS] : []),
  )
}

/** Takes what a copy of a folder has had out of the history; the conversation stays. Throws as `eraseFromHistory`. */
export function eraseFolder(ws: Workspace, path: string): void {
  inHistory(ws, {}, (repository) => eraseOwn(repository, withOrigin(repository, [path], undefined), NOT_OURS))
}

/**
 * Takes a conversation out of the history of the place, as it was fetched; what this machine has stays. Throws as
 * `eraseFromHistory`.
 */
export function eraseFetched(ws: Workspace, path: string, origin: string): void {
  inHistory(ws, {}, (repository) => eraseOwn(repository, withOrigin(repository, [path], origin), NOT_FETCHED))
}

/** Commits that a conversation is gone. Its earlier commits stay. Throws as `eraseFromHistory`. */
export function endInHistory(ws: Workspace, path: string): void {
  inHistory(ws, {}, (repository) => {
    const origin = readMetadataBackup(ws.local, path)?.session.origin
    const folders = ownAmong(repository, foldersOf(ws, path), origin)
    const committed = filesOf(repository, folders) ?? []
    if (committed.length === 0) return
    const changes = committed.map((file) => ({ path: file.path, bytes: undefined }))
    const message = `[conversation] deleted\n\n${conversationTrailer(path)}`
    commitOwn(repository, [{ changes, message, who: author(ws) }])
  })
}

/**
 * Changes all contents that the files of a conversation have had in the history, and the messages of its commits, so
 * that no byte of the earlier ones is left there. With `sparesFetched`, what was fetched from the place stays. Returns
 * how many have changed. Throws as `eraseFromHistory`.
 */
export function changeInHistory(
  ws: Workspace,
  path: string,
  changes: Changes,
  { sparesFetched = false } = {},
): number {
  let changed = 0
  inHistory(ws, {}, (repository) => {
    const spared = sparesFetched ? [FETCHED, HEADS] : []
    changed = changeOwn(repository, concerned(ws, repository, path), { ...changes, spared })
  })
  return changed
}

/** The same for a folder in the history of the place, as it was fetched; what this machine has stays. */
export function changeFetched(ws: Workspace, path: string, origin: string, changes: Changes): void {
  inHistory(ws, {}, (repository) =>
    changeOwn(repository, withOrigin(repository, [path], origin), { ...changes, spared: NOT_FETCHED }),
  )
}

const NOT_OURS = [JOINED, APART, FETCHED, HEADS]
const NOT_FETCHED = [BRANCH, JOINED, HEADS]

function concerned(ws: Workspace, repository: OwnRepository, path: string): Concerned {
  const origin = readMetadataBackup(ws.local, path)?.session.origin
  // Of what is kept here, the place may have another name.
  const apart = origin === undefined ? [] : foldersOfOrigin(repository, APART, origin)
  return withOrigin(repository, [...new Set([...foldersOf(ws, path), ...apart])], origin)
}

/** The folder of a conversation, with the names that it has had since the last save, and has in other worktrees. */
function foldersOf(ws: Workspace, path: string): string[] {
  const paths = [path, ...foldersElsewhere(ws, path).map((folder) => folder.path)]
  const earlier = paths.flatMap((one) => readEarlierPaths(ws.local, one))
  return [...new Set([...paths, ...earlier])]
}

/** Of two conversations that have had a folder one after the other, the one that counts is known by its origin. */
function withOrigin(
  repository: OwnRepository,
  paths: readonly string[],
  origin: string | undefined,
): Concerned {
  // Several histories have the same contents.
  const known = new Map<string, boolean>()
  return {
    paths,
    trailerOf: conversationTrailer,
    othersAmong: (blobs) => {
      const unknown = [...new Set(blobs)].filter((blob) => !known.has(blob))
      const others = new Set(othersAmong(repository, unknown, origin))
      for (const blob of unknown) known.set(blob, others.has(blob))
      return new Set(blobs.filter((blob) => known.get(blob)))
    },
  }
}
