import { conversationTrailer } from '../../session/shell/commits.ts'
import { readEarlierPaths } from '../../store/machine/moved-conversation.ts'
import {
  BRANCH,
  type Changes,
  changeOwn,
  commitOwn,
  eraseOwn,
  filesOf,
} from '../../workspace/git/own-repository.ts'
import { FETCHED, HEADS, JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { foldersElsewhere } from '../worktrees.ts'
import { author, inHistory } from './open-history.ts'

/**
 * Takes a conversation out of the history, so that no byte of it is left there. With `sparesFetched`, what was fetched
 * from the place stays: it may have a later conversation in that folder. Throws `locked` and git's errors; the history is
 * as it was then.
 */
export function eraseFromHistory(ws: Workspace, path: string, { sparesFetched = false } = {}): void {
  inHistory(ws, {}, (repository) =>
    eraseOwn(repository, concerned(ws, path), sparesFetched ? [FETCHED, HEADS] : []),
  )
}

/**
 * Takes a folder out of the history of the place, as it was fetched. The history here may have a later conversation in
 * that folder. Throws as `eraseFromHistory`.
 */
export function eraseFetched(ws: Workspace, path: string): void {
  const conversation = { paths: [path], trailerOf: conversationTrailer }
  inHistory(ws, {}, (repository) => eraseOwn(repository, conversation, [BRANCH, JOINED, HEADS]))
}

/** Commits that a conversation is gone. Its earlier commits stay. Throws as `eraseFromHistory`. */
export function endInHistory(ws: Workspace, path: string): void {
  inHistory(ws, {}, (repository) => {
    const committed = filesOf(repository, concerned(ws, path).paths) ?? []
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
    changed = changeOwn(repository, concerned(ws, path), { ...changes, spared })
  })
  return changed
}

/** The same for a folder in the history of the place, as it was fetched; what this machine has stays. */
export function changeFetched(ws: Workspace, path: string, changes: Changes): void {
  inHistory(ws, {}, (repository) =>
    changeOwn(repository, concerned(ws, path), { ...changes, spared: [BRANCH, JOINED, HEADS] }),
  )
}

/** The conversation with the names that its folder has had, and has in other worktrees. */
function concerned(ws: Workspace, path: string) {
  const paths = [path, ...foldersElsewhere(ws, path).map((folder) => folder.path)]
  const earlier = paths.flatMap((one) => readEarlierPaths(ws.local, one))
  return { paths: [...new Set([...paths, ...earlier])], trailerOf: conversationTrailer }
}
