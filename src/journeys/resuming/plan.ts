import type { PackCommand } from '../../clients/contract/pack.ts'
import { clientOf } from '../../clients/index.ts'
import { type BuiltContext, buildContext } from '../../context/build.ts'
import type { Conversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import { crypto } from '../../hash.ts'
import { NOT_RUN } from '../../session/control-turns.ts'
import { safeTitle } from '../../session/resume-block.ts'
import type { SessionFile } from '../../session/schema.ts'
import { localFiles } from '../../store/layout.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { LoadedCommand } from '../../workspace/pack/commands.ts'
import { idAndName } from '../finding/list.ts'
import { setUpClients } from '../setup/set-up-clients.ts'
import { contextRequest, recapFor } from './context.ts'
import { type Change, currentCommand } from './current-command.ts'
import type { Elsewhere } from './elsewhere.ts'
import { nativeWay } from './native-way.ts'
import { missingTools, noticesOf } from './notices.ts'
import { handoffLaunch, type LaunchSpec, nativeLaunch } from './start-client.ts'

type Mode = 'native' | 'handoff'

export interface ResumeRequest {
  /** The client to resume in. */
  client: string
  /** Undefined: native if that is possible, else handoff. */
  mode?: Mode | undefined
  /** The tokens that the resume block and the history may take. */
  budget: number
  /** The strategy to begin with. Undefined: the first one that fits. */
  strategy?: string | undefined
  /** The topic of the history. */
  about?: string | undefined
  /** Allows resuming a completed conversation. */
  force?: boolean
}

/** All decisions of a resume, and what is given to the client. */
export interface ResumePlan {
  conversation: Conversation
  mode: Mode
  /** Why the resume is not native. Undefined if a handoff was asked for. */
  why: string | undefined
  client: string
  nativeId: string
  command: PackCommand
  /** The command's file. Undefined for a conversation without instructions. */
  loaded?: LoadedCommand
  /** The command's current instructions, as the model gets them; '' if there are none. */
  body: string
  context: BuiltContext
  /**
   * The first thing that a person sees, as markdown: the state, the last messages, and the changes since the
   * conversation was left.
   */
  recap: string
  /** Whether the client shows the recap. If not, the person reads it before the client starts. */
  showsRecap: boolean
  /** Where the conversation was held last, if not here. */
  elsewhere?: Elsewhere
  /** The change of the instructions since the conversation began. */
  change?: Change
  /**
   * Sentences that the person reads before the client starts, such as a notice of changed instructions or missing
   * tools.
   */
  notices: string[]
  launch: LaunchSpec
}

/**
 * Plans a resume of a conversation in a client. Writes nothing. Throws `refused` for a completed conversation without
 * `force`, and if `mode` is native but a native resume is not possible.
 */
export async function planResume(
  ws: Workspace,
  conversation: Conversation,
  request: ResumeRequest,
): Promise<ResumePlan> {
  const { session } = conversation
  if (session.status === 'completed' && request.force !== true)
    throw new CortextError('refused', `"${oneLine(session.title)}" was marked complete`, {
      fix: paste`cortext resume ${idAndName(ws, conversation.path).name} --force`,
    })
  const { command, loaded, change } = currentCommand(ws, conversation)
  const client = clientOf(request.client)
  const native = nativeWay(ws, conversation, request, change !== undefined || isToRun(session))
  if (request.mode === 'native' && native.nativeId === undefined)
    throw new CortextError('refused', `the conversation cannot be resumed natively: ${native.why}`, {
      fix: paste`cortext resume ${idAndName(ws, conversation.path).name} --mode handoff`,
    })
  const missing = missingTools(ws, conversation.messages, client.id)
  const asked = await contextRequest(ws, conversation, { ...request, missing })
  const context = buildContext(asked)
  const mode: Mode = native.nativeId !== undefined && request.mode !== 'handoff' ? 'native' : 'handoff'
  const nativeId =
    mode === 'native'
      ? native.nativeId!
      : (client.launch.newSessionId?.(ws.environment.now()) ?? crypto().randomUUID())
  const title = safeTitle(session)
  const body = command.body && client.pack.commandBody(command, title)
  const where = { nativeId, cwd: ws.root }
  const recap = recapFor(ws, conversation, asked, context, change)
  const handoff = { ...where, command: command.name, body, args: title, context: context.text, recap }
  const launch =
    mode === 'native'
      ? nativeLaunch(client, where)
      : handoffLaunch(client, handoff, localFiles(ws.local).contexts)
  return {
    conversation,
    mode,
    why: request.mode === 'handoff' ? undefined : native.why,
    client: client.id,
    nativeId,
    command,
    ...(loaded && { loaded }),
    body,
    context,
    recap,
    showsRecap:
      mode === 'handoff' || (client.launch.showsAtResume === true && setUpClients(ws).includes(client)),
    ...(change && { change }),
    ...(asked.elsewhere && { elsewhere: asked.elsewhere }),
    notices: await noticesOf(ws, {
      ...{ conversation, client, nativeId, missing },
      ...{ whose: asked.whose, away: asked.away, elsewhere: asked.elsewhere },
      change: change?.sentence,
      gone: native.gone === true && request.mode !== 'handoff' ? native.why : undefined,
    }),
    launch,
  }
}

/** Whether the conversation got its command only after the talk, so that no native session has its instructions. */
function isToRun({ agent_config: { unknown } }: SessionFile): boolean {
  return unknown?.system_prompt_hash === NOT_RUN
}
