import { existsSync } from 'node:fs'
import { clientOf } from '../../clients/index.ts'
import type { Conversation } from '../../conversation/read.ts'
import { bytesOfTranscript } from '../../conversation/transcript-bytes.ts'
import { CortextError } from '../../errors.ts'
import { hasEnded } from '../../io/process.ts'
import { isControlTurn, turnsOf } from '../../session/control-turns.ts'
import { safeLine } from '../../session/resume-block.ts'
import type { AgentSession } from '../../session/schema.ts'
import { liveSegment, readBinding } from '../../store/machine/binding.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRepository } from '../../workspace/repository.ts'
import { findGitTop } from '../../workspace/root.ts'

export interface NativeWay {
  /** The native session to resume; absent if none can be resumed. */
  nativeId?: string
  /** Why no native session can be resumed. */
  why?: string
  /** This machine, or the client in this folder, does not have the session. */
  gone?: true
}

/**
 * Checks whether the client can resume the conversation's last native session, and whether the model then gets exactly
 * this conversation. If the request is for a handoff, does not ask the client's program for the session.
 */
export function nativeWay(
  ws: Workspace,
  conversation: Conversation,
  { client: wanted, mode }: { client: string; mode?: 'native' | 'handoff' | undefined },
  isChanged: boolean,
): NativeWay {
  const lastSession = conversation.session.agent_sessions.at(-1)
  if (lastSession === undefined) return { why: 'no native session is known' }
  if (lastSession.client !== wanted) return { why: `it was held in ${safeLine(lastSession.client)} last` }
  const client = clientOf(lastSession.client)
  const gone = { why: `${client.name} does not have its session here`, gone: true } as const
  const transcript = transcriptOf(ws, lastSession)
  if (transcript === undefined)
    return { why: `${client.name} can have no session with the id in the record`, gone: true }
  if (!existsSync(transcript)) return gone
  const home = client.sessions.heldElsewhere?.(ws.environment, ws.root, transcript)
  if (home !== undefined && !isSameRepository(ws.root, home))
    return {
      why: `${client.name} finds its session only from ${safeLine(home) || 'another folder'}`,
      gone: true,
    }
  const begun = client.sessions.folderOf?.(ws.environment, lastSession.native_id)
  if (begun !== undefined && findGitTop(begun) !== findGitTop(ws.root))
    return { why: `${client.name} goes on with its session only in ${safeLine(begun)}`, gone: true }
  if (isChanged) return { why: 'its instructions have changed' }
  // Two client processes in one native session would not see each other's messages.
  if (isOpen(ws, lastSession)) return { why: 'its session is open in another terminal' }
  const foreign = nativeBelongs(ws, conversation, lastSession, transcript)
  if (foreign !== undefined) return { why: foreign }
  // This check comes last, because it may run the client.
  if (mode !== 'handoff' && !client.sessions.hasSession(ws.environment, ws.root, lastSession.native_id))
    return gone
  return { nativeId: lastSession.native_id }
}

/**
 * Returns the path of a session's transcript. Undefined if the id cannot be a file name: a stranger may have written
 * the record.
 */
function transcriptOf(ws: Workspace, { client, native_id }: AgentSession): string | undefined {
  try {
    return clientOf(client).sessions.transcriptPath(ws.environment, ws.root, native_id)
  } catch (error) {
    if (error instanceof CortextError && error.code === 'unsafe-path') return undefined
    throw error
  }
}

/** Whether two folders belong to one repository. The other folder may be gone. */
function isSameRepository(root: string, other: string): boolean {
  const common = findRepository(root)?.common
  return common !== undefined && other !== '' && findRepository(other)?.common === common
}

function isOpen(ws: Workspace, { client, native_id }: { client: string; native_id: string }): boolean {
  const { inUse } = clientOf(client).sessions
  if (inUse !== undefined) return inUse(ws.environment, native_id)
  const binding = readBinding(ws.local, client, native_id)
  const writer = binding && liveSegment(binding)?.process
  return writer !== undefined && !hasEnded(writer)
}

/**
 * Checks whether a native session contains exactly this conversation, because a native resume gives the model the whole
 * session. Returns the reason if it does not. Control turns do not count.
 */
function nativeBelongs(
  ws: Workspace,
  conversation: Conversation,
  lastSession: AgentSession,
  transcript: string,
): string | undefined {
  const others = conversation.session.agent_sessions.filter(
    (one) => one.native_id !== lastSession.native_id || one.client !== lastSession.client,
  )
  const elsewhere = others.length > 0 || conversation.session.forked_from !== undefined
  if (elsewhere && !wasHandedOver(ws, conversation, lastSession, others))
    return 'parts of it were held in other sessions'
  const name = clientOf(lastSession.client).name
  const { messages } = clientOf(lastSession.client).reading.read({
    nativeId: lastSession.native_id,
    bytes: bytesOfTranscript({ client: lastSession.client, transcript }),
    sideFiles: [],
    readSideFile: () => undefined,
  })
  // Pruned messages belong to the conversation too.
  const ours = new Set([...conversation.pruned.keys(), ...conversation.messages.map((message) => message.id)])
  const foreign = turnsOf(messages).filter(
    (turn) => !turn.every(({ id }) => ours.has(id)) && !isControlTurn(turn),
  )
  return foreign.length === 0 ? undefined : `its ${name} session also has turns that are not part of it`
}

/** Whether the session began with a handoff after all other sessions, so that its model has read their talk. */
function wasHandedOver(
  ws: Workspace,
  { path }: Conversation,
  lastSession: AgentSession,
  others: readonly AgentSession[],
): boolean {
  const first = readBinding(ws.local, lastSession.client, lastSession.native_id)?.segments[0]
  if (first?.conversation !== path || first.how !== 'resume' || first.cleared) return false
  const since = Date.parse(first.started_at)
  return others.every((one) => Date.parse(one.last_active) <= since)
}
