import { resumableLines } from '../../session/resumable-lines.ts'
import { fromList, rememberList } from '../../store/machine/shown-list.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from '../finding/list.ts'
import type { SessionName } from '../recording/current-session.ts'

type Named = Pick<SessionName, 'client' | 'nativeId'>

/**
 * Makes the lines of a list for the person and remembers it for the native session: from now on a number there means
 * this list. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function showListIn(
  ws: Workspace,
  native: Named,
  conversations: readonly Listed[],
  besides: { older?: number; closed?: number } = {},
): string[] {
  rememberList(ws.local, native, conversations)
  return resumableLines(conversations, ws.environment.now(), besides)
}

/** The path of the conversation that a person's answer means, if it is a number in the list shown last. */
export function answeredWith(ws: Workspace, native: Named, answer: string): string | undefined {
  return /^\d{1,3}$/.test(answer) ? fromList(ws.local, native, Number(answer)) : undefined
}
