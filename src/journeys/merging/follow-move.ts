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
 * Moves a conversation's files in the local folder to its new path, if a merge (here or in another clone) has given the
 * conversation's folder to another conversation of the same name, or has given the folder back. Without this move, new
 * talk would be published into the other conversation. Throws `locked`, and what reading and writing throws.
 */
export function followMove(ws: Workspace, path: string): void {
  const origin = readSession(`${ws.root}/${path}`)?.session.origin
  if (!isOrigin(origin)) return
  const ownOrigin = originHere(ws, path)
  if (ownOrigin !== undefined && ownOrigin !== origin) {
    // In another worktree, the folder still belongs to the conversation that this machine knows by this path.
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
