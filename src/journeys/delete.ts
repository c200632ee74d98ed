import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rmdirIfEmpty } from '../io/remove.ts'
import { updateBinding } from '../store/binding.ts'
import { stretchesOf } from '../store/bindings.ts'
import { forgetConversation } from '../store/forget.ts'
import { listGenerations } from '../store/journal.ts'
import { checkRelativePath, journalPath, journalSideFolder, turnMarkPath } from '../store/layout.ts'
import { withLockSync } from '../store/lock.ts'
import type { Workspace } from './open.ts'

/**
 * Removes a conversation: its folder, its stretches, the journals that no other conversation needs, and whatever
 * else this machine's own files say of it. The only way in which a record ever goes.
 */
export function deleteConversation(ws: Workspace, path: string): void {
  withLockSync(ws.local, `conversation/${path}`, () => {
    const sessions = stretchesOf(ws.local, path).map(({ binding }) => binding)
    for (const binding of sessions) {
      const left = updateBinding(ws.local, binding.client, binding.native_id, (one) => {
        const stretches = one?.stretches.filter((stretch) => stretch.conversation !== path) ?? []
        return one === undefined || stretches.length === 0 ? undefined : { ...one, stretches }
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
