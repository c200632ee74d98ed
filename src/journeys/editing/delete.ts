import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rmdirIfEmpty } from '../../io/remove.ts'
import { checkRelativePath, journalPath, journalSideFolder, turnMarkPath } from '../../store/layout.ts'
import { updateBinding } from '../../store/machine/binding.ts'
import { listGenerations } from '../../store/machine/journal.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { withLockSync } from '../../store/machine/lock.ts'
import { removeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { removePendingTurn } from '../../store/machine/pending-turn.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Removes a conversation: its folder, its segments, and the journals that no other conversation needs. The only
 * way in which a record ever goes.
 */
export function deleteConversation(ws: Workspace, path: string): void {
  withLockSync(ws.local, `conversation/${path}`, () => {
    for (const { binding } of segmentsOf(ws.local, path)) {
      const left = updateBinding(ws.local, binding.client, binding.native_id, (one) => {
        const segments = one?.segments.filter((segment) => segment.conversation !== path) ?? []
        return one === undefined || segments.length === 0 ? undefined : { ...one, segments }
      })
      if (left !== undefined) continue
      for (const { path: file } of listGenerations(journalPath(ws.local, binding.client, binding.native_id)))
        rmSync(file, { force: true })
      rmSync(turnMarkPath(ws.local, binding.client, binding.native_id), { force: true })
      rmSync(journalSideFolder(ws.local, binding.client, binding.native_id), { recursive: true, force: true })
    }
    removeMetadataBackup(ws.local, path)
    removePendingTurn(ws.local, path)
    const folder = join(ws.root, checkRelativePath(path))
    rmSync(folder, { recursive: true, force: true })
    rmdirIfEmpty(dirname(folder))
  })
}
