import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { findConversations } from '../../../journeys/finding/find.ts'
import { type Listed, listConversations, toResume } from '../../../journeys/finding/list.ts'
import {
  currentSessionName,
  type SessionName,
  sessionNamed,
} from '../../../journeys/recording/current-session.ts'
import { resumeInSession } from '../../../journeys/resuming/in-session.ts'
import { laterPart } from '../../../journeys/resuming/parts.ts'
import { syncBeforeResume } from '../../../journeys/syncing/auto.ts'
import { type Hidden, resumableLines } from '../../../session/resumable-lines.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { putOnList } from '../../../workspace/everywhere.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { settle } from '../../first-step.ts'
import { noHooksNote, pathsNote } from '../../from-sub-folder.ts'
import { note, say } from '../../print.ts'
import { checkCompleted } from './completed.ts'

interface AgentResumeOptions {
  force?: boolean
  whole?: boolean
  part?: string
}

/**
 * Runs `agent resume`, which `/workspace.resume` calls in a client. Without words, prints the list of conversations. If
 * a number or words mean exactly one conversation, prints the instructions, resume block and history of that
 * conversation. If they mean none or several, prints candidates.
 */
export async function agentResumeVerb(
  environment: Environment,
  words: readonly string[],
  options: AgentResumeOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  await settle(ws, { here: true })
  const query = words.join(' ').trim()
  const current = currentSessionName(ws)
  if (current === undefined)
    throw new CortextError('refused', 'this was not called from inside an AI client', {
      fix: query === '' ? 'cortext resume' : paste`cortext resume ${query}`,
    })
  if (options.part !== undefined) return say(laterPart(ws, current, Number(options.part)))
  note(await syncBeforeResume(ws))
  const { conversations } = listConversations(ws)
  const { shown, hidden } = toResume(conversations)
  const show = (some: readonly Listed[], left?: Hidden) =>
    say(resumableLines(some, ws.environment.now(), left))
  if (query === '') return show(shown, hidden)
  const { found, nearest } = await findConversations(ws, query, conversations)
  if (found.length === 1) return resumeOne(ws, current, found[0]!, options)
  if (found.length > 1) return show(found)
  say(`No conversation matches "${oneLine(query)}".`, '')
  if (nearest.length > 0) show(nearest)
  else show(shown, hidden)
}

async function resumeOne(
  ws: Workspace,
  current: SessionName,
  one: Listed,
  { force = false, whole = false }: AgentResumeOptions,
): Promise<void> {
  checkCompleted(one, force)
  putOnList(ws.root, ws.environment)
  // With `--whole`, Gemini CLI makes this call while it expands a typed command, before that turn begins. So the whole
  // transcript belongs to earlier turns, even if no hook reported their end.
  const before =
    whole && current.turn !== undefined ? { ...current, turn: Number.POSITIVE_INFINITY } : current
  const text = await resumeInSession(ws, sessionNamed(ws, before), { path: one.path, force, whole })
  say(text, pathsNote(ws))
  note(noHooksNote(ws, current))
}
