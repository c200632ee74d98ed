import { readerOf } from '../../clients/index.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { liveSegment, readBinding } from '../../store/machine/binding.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { listConversations } from '../finding/list.ts'
import { savedIn, sessionsNotSaved } from '../not-saved/sessions.ts'
import { currentSessionName } from './current-session.ts'

/**
 * Returns the conversation that a verb without an id means. It is the first that exists of:
 * - the conversation of the session that runs the verb
 * - the only conversation that is being recorded
 * - the only active conversation that was started on this machine in a terminal
 *
 * Throws `not-found` or `ambiguous`.
 */
export function activeConversation(ws: Workspace, verb: string): string {
  const current = boundHere(ws)
  if (current !== undefined) return current
  const live = listLive(ws.local).filter(({ binding }) => isOurs(ws, binding))
  const recorded = [...new Set(live.map(({ segment }) => segment.conversation))]
  const open = recorded.length > 0 ? recorded : startedHere(ws)
  if (open.length === 1) return open[0]!
  if (open.length === 0) throw nothingActive(ws)
  throw new CortextError(
    'ambiguous',
    `${open.length} conversations are active; say which one to ${verb}:\n${open.map((path) => `  ${path}`).join('\n')}`,
    { fix: 'cortext list' },
  )
}

/**
 * Returns the active conversations that were started on this machine in a terminal, and that no client has opened yet.
 * Leaves out the conversations of colleagues and of agent loops.
 */
function startedHere(ws: Workspace): string[] {
  return listConversations(ws)
    .conversations.filter(({ status, archived }) => status.status === 'active' && !archived)
    .filter(({ key, native }) => key === undefined && native.length === 0)
    .map(({ path }) => path)
    .filter((path) => readMetadataBackup(ws.local, path) !== undefined)
}

/**
 * Returns the error that no conversation is active. The error names the newest session of the last 24 hours that is not
 * saved, because the person may mean that session.
 */
function nothingActive(ws: Workspace): CortextError {
  const what = 'no conversation is active here'
  const [newest] = sessionsNotSaved(ws.environment, ws.root, savedIn(ws)).sessions
  const age = newest === undefined ? DAY : ws.environment.now().getTime() - newest.lastActive.getTime()
  if (newest === undefined || age >= DAY)
    return new CortextError('not-found', what, { fix: 'cortext resume --list' })
  const { client, title, command } = newest
  const message = `${what}; a session of ${readerOf(client).name} was held today and is not saved: "${oneLine(title)}"`
  return new CortextError('not-found', message, { fix: command })
}

const DAY = 24 * 60 * 60_000

function boundHere(ws: Workspace): string | undefined {
  const inside = currentSessionName(ws)
  const binding = inside && readBinding(ws.local, inside.client, inside.nativeId)
  return binding && liveSegment(binding)?.conversation
}
