import { isFileInside, pathInside, statInside } from '../io/inside.ts'
import { RECORD } from '../store/layout.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { moveConversation } from '../store/machine/moved-conversation.ts'
import { type Entry, scanConversations } from '../store/scan.ts'
import type { Workspace } from '../workspace/open.ts'
import { isOurs } from './worktrees.ts'

/**
 * Returns the present path of a conversation whose folder a person may have moved or renamed. If it was moved, the
 * local folder is updated too. Returns `path` if the folder is still there or is not found anywhere. Throws what
 * scanConversations throws, and `locked`.
 */
export function pathNow(ws: Workspace, path: string): string {
  if (isFileInside(pathInside(ws.root, path), RECORD.session)) return path
  const backup = readMetadataBackup(ws.local, path)
  if (backup === undefined || (backup.held !== undefined && statInside(ws.root, path) !== undefined))
    return path
  const entry = scanConversations(ws.root, ws.local, ws).find(({ before }) => before?.includes(path))
  if (entry === undefined) return path
  followMoved(ws, [entry])
  return entry.path
}

/** Puts the new paths of moved conversations into the files of the local folder. Throws `locked`. */
export function followMoved(ws: Workspace, entries: readonly Entry[]): void {
  for (const { path, before = [] } of entries)
    for (const earlier of before) moveConversation(ws.local, earlier, path, (binding) => isOurs(ws, binding))
}
