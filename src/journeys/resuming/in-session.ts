import { clientOf } from '../../clients/index.ts'
import { changeStatus } from '../../session/lifecycle.ts'
import type { Workspace } from '../../workspace/open.ts'
import { publish } from '../conversation/publish.ts'
import { readConversation } from '../conversation/read.ts'
import type { NativeHere } from '../recording/current-session.ts'
import { bindInstead } from '../recording/start.ts'
import { contextOf } from './context.ts'
import { firstPart } from './parts.ts'
import { currentCommand } from './plan.ts'

export interface ResumeHere {
  path: string
  /** Also a completed conversation. */
  force: boolean
  /** The caller's client passes on an output of any size. */
  whole: boolean
}

/**
 * The running native session goes on with a conversation: bound from its next turn on; another one is paused first.
 * Returns what its agent is to be told, as far as its client passes it on; the rest comes by `laterPart`.
 */
export async function resumeHere(
  ws: Workspace,
  here: NativeHere,
  { path, force, whole }: ResumeHere,
): Promise<string> {
  const text = await toldHere(ws, here, path, whole)
  if (here.live?.conversation === path) return text
  await publish(ws, path, (session) => changeStatus(session, 'active', force))
  await bindInstead(ws, here, { conversation: path, how: 'resume', from: here.turn, pending: true })
  return text
}

/** The same, of a session that is bound to it already. */
export async function toldHere(
  ws: Workspace,
  here: Pick<NativeHere, 'client' | 'nativeId'>,
  path: string,
  whole = false,
): Promise<string> {
  const text = await hereText(ws, path)
  return whole ? text : firstPart(ws, here, text)
}

/** What an agent is given in a running session: the original command's current instructions, the block, the history. */
async function hereText(ws: Workspace, path: string): Promise<string> {
  const conversation = readConversation(ws, path)
  const { session } = conversation
  const { command, change } = currentCommand(ws, session)
  const context = await contextOf(ws, conversation, { budget: ws.config.resume.budget })
  const body = clientOf(session.agent_config.client).commandBody(command, session.title)
  return [...(change === undefined ? [] : [change]), body, context.text].join('\n\n')
}
