import { existsSync, renameSync } from 'node:fs'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { type Binding, updateBinding } from './binding.ts'
import { forgetCopies } from './copies.ts'
import { listBindings } from './list-bindings.ts'
import { withLockSync } from './locks/lock.ts'
import { moveMetadata, readMetadataBackup, removeMetadataBackup } from './metadata-backup.ts'
import { forgetPage } from './pages.ts'
import { pendingTurnFile } from './pending-turn.ts'
import { forgetPublished } from './published.ts'
import { forgetUnpublished } from './unpublished.ts'

/**
 * Moves the bindings, the pending turn and the backup of a conversation to the new path of its folder, gives the backup
 * the new `id` if that has changed, and forgets what can be made again. Both paths are workspace-relative. If a binding
 * is not ours, that binding and the backup stay as they are, and nothing is forgotten: in another worktree the folder
 * may not have moved. A second call changes nothing; after a kill, the next call does what is left. Throws `locked` and
 * what files throw.
 */
export function moveConversation(
  local: string,
  from: string,
  to: string,
  isOurs: (binding: Binding) => boolean,
  id?: string,
): void {
  withLockSync(local, `conversation/${from}`, () => {
    const concerned = listBindings(local).filter(({ segments }) =>
      segments.some(({ conversation }) => conversation === from),
    )
    for (const { client, native_id } of concerned.filter(isOurs))
      updateBinding(local, client, native_id, (now) => now && withNewPath(now, from, to))
    movePendingTurn(local, from, to)
    // The backup moves after bindings and pending turn: while it has the old path, a scan sees that the folder has
    // moved.
    const backup = readMetadataBackup(local, from)
    if (backup === undefined || !concerned.every(isOurs)) return
    const session = id === undefined ? backup.session : { ...backup.session, conversation_id: id }
    if (readMetadataBackup(local, to) === undefined) moveMetadata(local, { ...backup, session }, to)
    forgetCopies(local, from)
    forgetPublished(local, from)
    forgetUnpublished(local, from)
    forgetPage(local, from)
    // The old backup goes last: after a kill, it shows the next call that something is left to do.
    removeMetadataBackup(local, from)
  })
}

function withNewPath(binding: Binding, from: string, to: string): Binding {
  const segments = binding.segments.map((segment) =>
    segment.conversation === from ? { ...segment, conversation: to } : segment,
  )
  return { ...binding, segments }
}

/**
 * The path in the file stays the old one. It is only for people who open the file; the program uses the file's name.
 */
function movePendingTurn(local: string, from: string, to: string): void {
  const [before, after] = [pendingTurnFile(local, from), pendingTurnFile(local, to)]
  if (!existsSync(before) || existsSync(after)) return
  try {
    renameSync(before, after)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, before, 'write')
  }
}
