import { removeInside } from '../io/inside.ts'
import { withLockSync } from '../store/machine/locks/lock.ts'
import { emptyMakingFolder } from '../store/machine/making.ts'
import { unfinishedIn, unfinishedOn } from '../workspace/folder.ts'
import type { Workspace } from '../workspace/open.ts'

/** The lock for making conversations: while a process holds it, no other process makes one. */
export const CREATION_LOCK = 'new-conversation'

/**
 * A conversation is made in a folder of the machine, next to what is made of it for the workspace: a hidden folder of its
 * day, which reserves its number (`conversations/2026-11-21/.003`). A killed process can leave both.
 *
 * Returns the empty folder of the machine. First removes what killed processes have left, also in the folder of that day
 * (`conversations/2026-11-21`). The caller holds `CREATION_LOCK`.
 */
export function emptyCreationFolder({ root, local }: Workspace, dayFolder: string): string {
  for (const path of unfinishedOn(root, dayFolder)) removeInside(root, path, { recursive: true })
  return emptyMakingFolder(local)
}

/**
 * Removes all conversations that killed processes have left half made. A deletion calls this, because one of them may be
 * a fork with the words of the conversation that is deleted.
 */
export function removeHalfMade(ws: Workspace): void {
  withLockSync(ws.local, CREATION_LOCK, () => {
    for (const path of unfinishedBefore(ws, Number.POSITIVE_INFINITY))
      removeInside(ws.root, path, { recursive: true })
    emptyMakingFolder(ws.local)
  })
}

/** Returns the workspace-relative folders of conversations that killed processes have left half made. */
export function unfinished(ws: Workspace): string[] {
  return unfinishedBefore(ws, ws.environment.now().getTime() - AT_WORK_MS)
}

function unfinishedBefore({ root, types }: Workspace, before: number): string[] {
  const folders = new Set([...types.values()].map(({ folder }) => folder))
  return [...folders].flatMap((folder) => unfinishedIn(root, folder, before))
}

/** Making a conversation takes less time than this, so a killed process has left an older unfinished folder. */
const AT_WORK_MS = 60_000

/** Removes unfinished conversations and returns their folders. Throws `locked` and `unwritable`. */
export function removeUnfinished(ws: Workspace): string[] {
  if (unfinished(ws).length === 0) return []
  return withLockSync(ws.local, CREATION_LOCK, () => {
    const paths = unfinished(ws)
    for (const path of paths) removeInside(ws.root, path, { recursive: true })
    return paths
  })
}
