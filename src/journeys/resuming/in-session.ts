import { clientOf } from '../../clients/index.ts'
import { UNKNOWN_ROOM } from '../../context/tokens/budget.ts'
import { changeState } from '../../conversation/change.ts'
import { bringBackDocument } from '../../conversation/keeping/from-history.ts'
import { type Conversation, readConversation } from '../../conversation/read.ts'
import { changeStatus } from '../../session/lifecycle.ts'
import { safeTitle } from '../../session/resume-block.ts'
import type { Segment } from '../../store/machine/binding.ts'
import type { Workspace } from '../../workspace/open.ts'
import { bind } from '../recording/bind.ts'
import type { CurrentSession } from '../recording/current-session.ts'
import { endOfTalk } from '../recording/said-in-session.ts'
import { bindInstead } from '../recording/start.ts'
import { contextOf } from './context.ts'
import { currentCommand, withPromptRun } from './current-command.ts'
import { firstPart } from './parts.ts'

export interface InSessionRequest {
  path: string
  /** Resume the conversation even if it is completed. */
  force: boolean
  /** The client passes an output of any size to its agent. */
  whole: boolean
}

/**
 * Continues a conversation in the running native session. The session is bound to the conversation from the session's
 * next turn on. Pauses another conversation that was bound to the session. Returns the text for the agent. If the text
 * is too long for an output of the client, returns the first part; `laterPart` returns the rest. Throws `refused` for a
 * completed conversation without `force`, and what publish throws.
 */
export async function resumeInSession(
  ws: Workspace,
  current: CurrentSession,
  { path, force, whole }: InSessionRequest,
): Promise<string> {
  const conversation = readConversation(ws, path)
  bringBackDocument(ws, path, conversation.session)
  const text = await givenIn(ws, current, conversation, whole)
  if (current.live?.conversation === path) {
    leaveOut(ws, current, current.live)
    return text
  }
  await changeState(ws, path, {
    change: (session) =>
      withPromptRun(
        ws,
        changeStatus(session, 'active', path, force),
        currentCommand(ws, { ...conversation, session }).loaded,
      ),
    earlier: conversation,
  })
  const from = current.live === undefined ? current.turn : endOfTalk(ws, current)
  await bindInstead(ws, current, { conversation: path, how: 'resume', from, pending: true })
  return text
}

/**
 * Keeps the rest of the running turn out of the conversation that it resumes, because it contains the context of that
 * conversation.
 */
function leaveOut(ws: Workspace, current: CurrentSession, { conversation, from, pending }: Segment): void {
  if (pending === true) return
  const turn = Math.max(endOfTalk(ws, current), from)
  bind(ws, current, { conversation, how: 'resume', from: turn, pending: true }, turn)
}

/**
 * Returns the text for the agent of a session that is already bound to a conversation. Throws what readConversation
 * throws.
 */
export function textInSession(
  ws: Workspace,
  current: Pick<CurrentSession, 'client' | 'nativeId'>,
  path: string,
): Promise<string> {
  return givenIn(ws, current, readConversation(ws, path), false)
}

async function givenIn(
  ws: Workspace,
  current: Pick<CurrentSession, 'client' | 'nativeId'>,
  conversation: Conversation,
  whole: boolean,
): Promise<string> {
  const text = await wholeText(ws, conversation, current.client)
  return whole ? text : firstPart(ws, current, text)
}

/**
 * Returns the whole text for an agent in a running session: the command's current instructions, resume block and
 * history.
 */
async function wholeText(ws: Workspace, conversation: Conversation, client: string): Promise<string> {
  const { session } = conversation
  const { command, change } = currentCommand(ws, conversation)
  const context = await contextOf(ws, conversation, {
    budget: ws.config.resume.budget ?? UNKNOWN_ROOM,
  })
  const body = command.body && clientOf(client).pack.commandBody(command, safeTitle(session))
  return [change?.sentence, body, context.text].filter(Boolean).join('\n\n')
}
