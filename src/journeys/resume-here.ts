import { join } from 'node:path'
import { clientOf } from '../clients/index.ts'
import { crypto } from '../crypto.ts'
import { writeFileAtomic } from '../io/atomic-write.ts'
import { changeStatus } from '../session/lifecycle.ts'
import { oneLine } from '../session/title.ts'
import { ensureLocalFolder, localFiles } from '../store/layout.ts'
import { readConversation } from './conversation.ts'
import type { NativeHere } from './native-here.ts'
import type { Workspace } from './open.ts'
import { publish } from './publish.ts'
import { contextOf, currentCommand } from './resume.ts'
import { bindInstead } from './start.ts'

/** The running native session goes on with a conversation: bound from its next turn on; another one is paused first. */
export async function resumeHere(
  ws: Workspace,
  here: NativeHere,
  path: string,
  force: boolean,
): Promise<string> {
  const text = await hereText(ws, path, clientOf(here.client).shellOutputLimit)
  if (here.live?.conversation === path) return text
  await publish(ws, path, (session) => changeStatus(session, 'active', force))
  await bindInstead(ws, here, { conversation: path, how: 'resume', from: here.turn, pending: true })
  return text
}

/**
 * What an agent is given in a running session: the original command's current instructions, the block, the
 * history. Where that is more than its client passes on (`limit` characters), the history is named as a file.
 */
export async function hereText(
  ws: Workspace,
  path: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<string> {
  const conversation = readConversation(ws, path)
  const { session } = conversation
  const { command, change } = currentCommand(ws, session)
  const context = await contextOf(ws, conversation, ws.config.resume.budget)
  const body = clientOf(session.agent_config.client).commandBody(command, session.title)
  const head = [...(change === undefined ? [] : [change]), body].join('\n\n')
  const whole = `${head}\n\n${context.text}`
  if (whole.length <= limit) return whole
  const folder = localFiles(ws.local).contexts
  ensureLocalFolder(ws.local, folder)
  const file = join(folder, `${crypto().randomUUID()}.md`)
  writeFileAtomic(file, context.text, { mode: 0o600 })
  const end = context.text.indexOf('[END RESUMED CONTEXT]') + '[END RESUMED CONTEXT]'.length
  return [
    head,
    context.text.slice(0, end),
    `The history of "${oneLine(session.title)}" lies in the file ${file}: read all of it before you answer.`,
  ].join('\n\n')
}
