import { checkRelativePath } from '../../store/layout.ts'
import { updateBinding } from '../../store/machine/binding.ts'
import { forgetConversation, removeJournal } from '../../store/machine/forget.ts'
import { blankJournal } from '../../store/machine/journal/blank-journal.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { removeConversationFolder } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Removes a conversation: its folder, its segments, what journals hold outside the segments of other conversations, and
 * whatever else this machine's own files say of it. A record is removed in no other way. Throws `unsafe-path`, `locked`
 * and `unwritable`.
 */
export function deleteConversation(ws: Workspace, path: string): void {
  withLockSync(ws.local, `conversation/${path}`, () => {
    const sessions = segmentsOf(ws.local, path).map(({ binding }) => binding)
    for (const binding of sessions) {
      const left = updateBinding(ws.local, binding.client, binding.native_id, (one) => {
        const segments = one?.segments.filter((segment) => segment.conversation !== path) ?? []
        return one === undefined || segments.length === 0 ? undefined : { ...one, segments }
      })
      if (left === undefined) removeJournal(ws.local, binding.client, binding.native_id)
      else blankJournal(ws.local, left)
    }
    removeConversationFolder(ws.root, checkRelativePath(path))
    // This comes last, so that a process that read the folder before saves nothing of it any more.
    forgetConversation(ws.local, path, sessions)
  })
}
