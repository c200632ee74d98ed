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
 * Moves what this machine knows of a conversation to the new path of its folder, and to its new `id` if that has
 * changed. Both paths are workspace-relative. Segments that were recorded elsewhere stay as they are: in another
 * worktree the folder may not have moved. A second call changes nothing; after a kill, the next call does what is left.
 * Throws `locked`, `unreadable` and `unwritable`.
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
    removeMetadataBackup(local, from)
    forgetCopies(local, from)
    forgetPublished(local, from)
    forgetUnpublished(local, from)
    forgetPage(local, from)
  })
}

function withNewPath(binding: Binding, from: string, to: string): Binding {
  const segments = binding.segments.map((segment) =>
    segment.conversation === from ? { ...segment, conversation: to } : segment,
  )
  return { ...binding, segments }
}

/** The path inside the file is for people who look at it; readers use the name of the file. */
function movePendingTurn(local: string, from: string, to: string): void {
  const [before, after] = [pendingTurnFile(local, from), pendingTurnFile(local, to)]
  if (!existsSync(before) || existsSync(after)) return
  try {
    renameSync(before, after)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, before, 'write')
  }
}
