import { basename } from 'node:path'
import { statInside } from '../../io/inside.ts'
import { conversationTrailer } from '../../session/shell/commits.ts'
import { RECORD } from '../../store/layout.ts'
import { allEarlierPaths, forgetEarlierPaths, hasMoved } from '../../store/machine/moved-conversation.ts'
import { sessionText, tryParse } from '../../store/record/session-file.ts'
import type { Entry } from '../../store/scan.ts'
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
  /** The path of the folder in the last commit. */
  from: string
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
      const from = earlier.length > 0 ? savedFrom(ws, repository, entry, earlier) : undefined
      if (from !== undefined) moved.push({ entry, from, earlier })
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
  const isElsewhere = otherRoots(ws).some((root) => statInside(root, from) !== undefined)
  const hadIt = isElsewhere && lastChange(repository, `${path}/${RECORD.session}`) > 0
  return hadIt ? undefined : from
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
