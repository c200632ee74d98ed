import { dirname } from 'node:path'
import { ensureLocalFolder, journalPath } from '../../store/layout.ts'
import { closeStretch, openStretch, type Stretch, updateBinding } from '../../store/machine/binding.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { NativeHere } from './current-session.ts'

export interface Bind {
  conversation: string
  how: Stretch['how']
  /** Offset in the journal where the conversation's part begins. */
  from: number
  command?: string
  /** Made by a resume: no turn was seen yet, and the one that is running does not belong to it. */
  pending?: boolean
  /** The conversation was cleared in the client and goes on here. */
  cleared?: boolean
}

/** From here on the native session's turns belong to the conversation. A live stretch of it must have ended. */
export function bind(
  ws: Workspace,
  here: Pick<NativeHere, 'client' | 'nativeId' | 'transcript' | 'journal'>,
  what: Bind,
): void {
  const stretch: Stretch = {
    conversation: what.conversation,
    journal: here.journal,
    from: what.from,
    how: what.how,
    ...(what.pending === true ? { pending: true } : {}),
    ...(what.cleared === true ? { cleared: true } : {}),
    ...(what.command === undefined ? {} : { command: what.command }),
    started_at: ws.place.now().toISOString(),
  }
  // It may be the first session of this client here, and hooks only write.
  ensureLocalFolder(ws.local, dirname(journalPath(ws.local, here.client, here.nativeId)))
  updateBinding(ws.local, here.client, here.nativeId, (binding) =>
    openStretch(
      binding ?? {
        client: here.client,
        native_id: here.nativeId,
        transcript: here.transcript,
        root: ws.root,
        stretches: [],
      },
      stretch,
    ),
  )
}

/** Ends the live stretch of a native session at an offset of its journal. */
export function unbind(
  ws: Workspace,
  native: { client: string; nativeId: string },
  end: { to: number; by: NonNullable<Stretch['ended_by']> },
): void {
  updateBinding(ws.local, native.client, native.nativeId, (binding) =>
    binding === undefined ? undefined : closeStretch(binding, { ...end, at: ws.place.now() }),
  )
}
