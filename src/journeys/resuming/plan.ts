import { existsSync } from 'node:fs'
import type { Client } from '../../clients/contract/client.ts'
import type { LaunchSpec } from '../../clients/contract/launch.ts'
import type { PackCommand } from '../../clients/contract/pack.ts'
import { clientOf } from '../../clients/index.ts'
import { type BuiltContext, buildContext } from '../../context/build.ts'
import { authorOf } from '../../conversation/author.ts'
import type { Conversation } from '../../conversation/read.ts'
import { crypto } from '../../crypto.ts'
import { CortextError } from '../../errors.ts'
import { hasEnded } from '../../io/process.ts'
import { safeLine } from '../../session/resume-block.ts'
import { whoseTalk } from '../../session/sharing/authors.ts'
import { localFiles } from '../../store/layout.ts'
import { liveSegment, readBinding } from '../../store/machine/binding.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findGitCommonDir } from '../../workspace/root.ts'
import { listConversations } from '../finding/list.ts'
import { rememberedUnrecorded } from '../importing/unrecorded.ts'
import { otherWriters } from '../recording/other-writers.ts'
import { setUpClients } from '../setup/set-up-clients.ts'
import { contextRequest } from './context.ts'
import { type Change, currentCommand } from './current-command.ts'
import { missingAttachments } from './missing-attachments.ts'
import { missingTools } from './missing-tools.ts'
import { nativeBelongs } from './native-belongs.ts'
import { recapFor } from './recap.ts'

type Mode = 'native' | 'handoff'

export interface ResumeRequest {
  /** The client to resume in. */
  client: string
  /** Undefined: native where that is possible, else handoff. */
  mode?: Mode | undefined
  /** The tokens that resume block and history may take. */
  budget: number
  /** The strategy to begin with. Undefined: the first one that fits. */
  strategy?: string | undefined
  /** What the history is to be about. */
  about?: string | undefined
  /** Yes to resuming a completed conversation. */
  force?: boolean
}

/** Everything that a resume is going to do. */
export interface ResumePlan {
  conversation: Conversation
  mode: Mode
  /** Why the resume is not native, unless a handoff was asked for. */
  why: string | undefined
  client: string
  nativeId: string
  command: PackCommand
  /** The command's current instructions, as the model receives them. */
  body: string
  context: BuiltContext
  /** What a person sees first, as markdown: where it stood, what was said last, what has changed since. */
  recap: string
  /** How the instructions differ from those that the conversation began with. */
  change?: Change
  /** What the person should know before the client starts: a changed command, tools that are missing. */
  notices: string[]
  launch: LaunchSpec
}

/**
 * Plans a resume of a conversation in a client. It reads, and writes nothing. Throws `refused` for a completed
 * conversation without `force`, and where `mode` is native and that is not possible.
 */
export async function planResume(
  ws: Workspace,
  conversation: Conversation,
  request: ResumeRequest,
): Promise<ResumePlan> {
  const { session } = conversation
  if (session.status === 'completed' && request.force !== true)
    throw new CortextError('refused', `"${oneLine(session.title)}" was marked complete`, {
      fix: paste`cortext resume ${session.conversation_id} --force`,
    })
  const { command, change } = currentCommand(ws, session)
  const client = clientOf(request.client)
  const native = nativeWay(ws, conversation, request, change)
  if (request.mode === 'native' && native.nativeId === undefined)
    throw new CortextError('refused', `it cannot be resumed natively: ${native.why}`, {
      fix: paste`cortext resume ${session.conversation_id} --mode handoff`,
    })
  const missing = missingTools(ws, conversation.messages, client.id)
  const whose = whoseTalk(conversation.messages, await authorOf(ws))
  const asked = await contextRequest(ws, conversation, { ...request, missing })
  const context = buildContext(asked)
  const mode: Mode = native.nativeId !== undefined && request.mode !== 'handoff' ? 'native' : 'handoff'
  const nativeId =
    mode === 'native'
      ? native.nativeId!
      : (client.launch.newSessionId?.(ws.environment.now()) ?? crypto().randomUUID())
  const title = safeLine(session.title)
  const body = client.pack.commandBody(command, title)
  const folder = localFiles(ws.local).contexts
  const where = { nativeId, cwd: ws.root }
  const recap = recapFor(ws, conversation, asked, context, change)
  const launch =
    mode === 'native'
      ? client.launch.native(where)
      : client.launch.handoff({
          ...where,
          command,
          args: title,
          context: context.text,
          recap,
          folder,
        })
  const gone = native.gone === true && request.mode !== 'handoff'
  return {
    conversation,
    mode,
    why: request.mode === 'handoff' ? undefined : native.why,
    client: client.id,
    nativeId,
    command,
    body,
    context,
    recap,
    ...(change && { change }),
    notices: [
      ...(change === undefined ? [] : [change.sentence]),
      ...(whose === undefined ? [] : [`This conversation was ${whose}.`]),
      ...notHere(conversation, gone ? native.why : undefined),
      ...missing.map((tool) => `Missing here: the tool ${safeLine(tool)}, which this conversation used.`),
      ...otherWriters(ws, conversation.path, nativeId),
      ...notSetUp(ws, client),
      ...unrecorded(ws, conversation),
    ],
    launch,
  }
}

/** One line for all that this machine lacks; another one has it. */
function notHere(conversation: Conversation, why: string | undefined): string[] {
  const missing = missingAttachments(conversation)
  const lines = [
    ...(why === undefined ? [] : [`${why}: it goes on in a new one.`]),
    ...(missing === undefined ? [] : [`Not on this machine: ${missing}.`]),
  ]
  return lines.length === 0 ? [] : [lines.join(' ')]
}

/** Warns where its sessions hold more of it than the record: after a stop, or since this machine's state was lost. */
function unrecorded(ws: Workspace, conversation: Conversation): string[] {
  const { path } = conversation
  return rememberedUnrecorded(ws, listConversations(ws).conversations, conversation).found.flatMap((one) => {
    const parts = one.parts.filter(({ into, why }) => into === path && why !== 'before')
    if (parts.length === 0) return []
    const { name } = clientOf(one.client)
    const count = parts.reduce((sum, { messages }) => sum + messages, 0)
    return [
      `Its session in ${name} has ${count} message${count === 1 ? '' : 's'} that the record lacks. To take them in first: ${one.command}`,
    ]
  })
}

/** Warns where our hooks are not set up: then the conversation is recorded only when the client has ended. */
function notSetUp(ws: Workspace, client: Client): string[] {
  if (setUpClients(ws.root).includes(client)) return []
  return [
    `${client.name} is not set up here: what is said in it is saved when it ends, and it has no /workspace commands. Set it up: cortext init --in ${client.id}`,
  ]
}

/** The native session to resume, or the reason why none can be. */
function nativeWay(
  ws: Workspace,
  conversation: Conversation,
  request: ResumeRequest,
  change: Change | undefined,
): { nativeId?: string; why?: string; gone?: true } {
  const last = conversation.session.agent_sessions.at(-1)
  if (last === undefined) return { why: 'no native session is known' }
  if (last.client !== request.client) return { why: `it was held in ${last.client} last` }
  const client = clientOf(last.client)
  const gone = { why: `${client.name} does not have its session here`, gone: true } as const
  const transcript = client.sessions.transcriptPath(ws.environment, ws.root, last.native_id)
  if (!existsSync(transcript)) return gone
  const held = client.sessions.heldElsewhere?.(ws.environment, ws.root, transcript)
  if (held !== undefined && !isSameRepository(ws.root, held))
    return {
      why: `${client.name} finds a session of ${safeLine(held) || 'another folder'} only there`,
      gone: true,
    }
  if (change !== undefined) return { why: 'its instructions have changed' }
  // Two client processes in one native session would not see each other's messages.
  if (isOpen(ws, last)) return { why: 'its session is open in another terminal' }
  const foreign = nativeBelongs(ws, conversation, last, transcript)
  if (foreign !== undefined) return { why: foreign }
  // This check comes last, because a client may have to be asked, and only where a native resume is wanted.
  if (request.mode !== 'handoff' && !client.sessions.hasSession(ws.environment, ws.root, last.native_id))
    return gone
  return { nativeId: last.native_id }
}

/** Whether two folders belong to one repository. The one of a session may be gone since. */
function isSameRepository(root: string, other: string): boolean {
  const common = findGitCommonDir(root)
  return common !== undefined && other !== '' && findGitCommonDir(other) === common
}

function isOpen(ws: Workspace, { client, native_id }: { client: string; native_id: string }): boolean {
  const { inUse } = clientOf(client).sessions
  if (inUse !== undefined) return inUse(ws.environment, native_id)
  const binding = readBinding(ws.local, client, native_id)
  const writer = binding && liveSegment(binding)?.process
  return writer !== undefined && !hasEnded(writer)
}
