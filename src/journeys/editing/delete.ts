import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rmdirIfEmpty } from '../../io/remove.ts'
import { checkRelativePath, journalPath, journalSideFolder, turnMarkPath } from '../../store/layout.ts'
import { updateBinding } from '../../store/machine/binding.ts'
import { forgetConversation } from '../../store/machine/forget.ts'
import { listGenerations } from '../../store/machine/journal.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { withLockSync } from '../../store/machine/lock.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Removes a conversation: its folder, its stretches, the journals that no other conversation needs, and whatever
 * else this machine's own files say of it. The only way in which a record ever goes.
 */
export function deleteConversation(ws: Workspace, path: string): void {
  withLockSync(ws.local, `conversation/${path}`, () => {
    const sessions = segmentsOf(ws.local, path).map(({ binding }) => binding)
    for (const binding of sessions) {
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
    const folder = join(ws.root, checkRelativePath(path))
    rmSync(folder, { recursive: true, force: true })
    rmdirIfEmpty(dirname(folder))
    // Last: whoever has read the folder before saves nothing of it any more.
    forgetConversation(ws.local, path, sessions)
  })
}
