import { CortextError } from '../../errors.ts'
import { liveSegment, readBinding } from '../../store/machine/binding.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { currentSessionName } from './current-session.ts'
import { isOurs } from './same-worktree.ts'

/**
 * The conversation that a verb without an id means: the one bound to the session that the verb is called from, else the
 * only active one. Throws `not-found` or `ambiguous`.
 */
export function activeConversation(ws: Workspace, verb: string): string {
  const current = boundHere(ws)
  if (current !== undefined) return current
  const live = listLive(ws.local).filter(({ binding }) => isOurs(ws, binding))
  const open = [...new Set(live.map(({ segment }) => segment.conversation))]
  if (open.length === 1) return open[0]!
  if (open.length === 0)
    throw new CortextError('not-found', 'no conversation is active here', { fix: 'cortext resume --list' })
  throw new CortextError(
    'ambiguous',
    `${open.length} conversations are active:\n${open.map((path) => `  ${path}`).join('\n')}`,
    { fix: paste`cortext ${verb} ${open[0]!.split('/').at(-1)!}` },
  )
}

function boundHere(ws: Workspace): string | undefined {
  const inside = currentSessionName(ws)
  const binding = inside && readBinding(ws.local, inside.client, inside.nativeId)
  return binding && liveSegment(binding)?.conversation
}
