import { removeInside } from '../io/inside.ts'
import { withLockSync } from '../store/machine/locks/lock.ts'
import { emptyMakingFolder } from '../store/machine/making.ts'
import { unfinishedIn, unfinishedOn } from '../workspace/folder.ts'
import type { Workspace } from '../workspace/open.ts'

/** Conversations are made one after the other, so whoever holds this lock knows that nobody else makes one. */
export const MAKES_ONE = 'new-conversation'

/**
 * The folder in which a conversation is made. What processes that were killed have left of others on that day
 * (`conversations/2026-11-21`) is removed: nothing of it was ever shown. Only for whoever holds the lock.
 */
export function placeToMake({ root, local }: Workspace, day: string): string {
  for (const path of unfinishedOn(root, day)) removeInside(root, path, { recursive: true })
  return emptyMakingFolder(local)
}

/** The folders of conversations that processes which were killed have left half made, relative to the root. */
export function unfinished({ root, types, environment }: Workspace): string[] {
  const before = environment.now().getTime() - AT_WORK_MS
  const folders = new Set([...types.values()].map(({ folder }) => folder))
  return [...folders].flatMap((folder) => unfinishedIn(root, folder, before))
}

/** So long nobody makes one. */
const AT_WORK_MS = 60_000

/** Removes them. Returns which. Throws `locked` and `unwritable`. */
export function removeUnfinished(ws: Workspace): string[] {
  if (unfinished(ws).length === 0) return []
  return withLockSync(ws.local, MAKES_ONE, () => {
    const paths = unfinished(ws)
    for (const path of paths) removeInside(ws.root, path, { recursive: true })
    return paths
  })
}
