import { basename } from 'node:path'
import { isOurs } from '../../conversation/worktrees.ts'
import { apartPath, leftPath } from '../../session/sharing/apart.ts'
import { isOrigin } from '../../session/sharing/origin.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { moveConversation } from '../../store/machine/moved-conversation.ts'
import { readSession } from '../../store/record/session-file.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Moves a conversation's files in the local folder to its new path. A merge, here or in another clone, may have given
 * the conversation's folder to another conversation with the same name, or have given it back. Without this move, the
 * talk of the conversation's sessions would be published into the other conversation. Throws `locked`, and errors of
 * reading and writing files.
 */
export function followMove(ws: Workspace, path: string): void {
  const origin = readSession(`${ws.root}/${path}`)?.session.origin
  if (!isOrigin(origin)) return
  const ownOrigin = originHere(ws, path)
  if (ownOrigin !== undefined && ownOrigin !== origin) {
    // Another worktree, in which a session of the conversation was recorded, may still have the conversation at this
    // path.
    if (!segmentsOf(ws.local, path).every(({ binding }) => isOurs(ws, binding))) return
    move(ws, path, apartPath(path, ownOrigin))
  }
  if (originHere(ws, path) !== undefined) return
  const before = leftPath(path, origin) ?? apartPath(path, origin)
  if (originHere(ws, before) === origin) move(ws, before, path)
}

function move(ws: Workspace, from: string, to: string): void {
  moveConversation(ws.local, from, to, () => true, basename(to))
}

function originHere(ws: Workspace, path: string): string | undefined {
  return readMetadataBackup(ws.local, path)?.session.origin
}
