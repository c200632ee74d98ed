import { clientOf } from '../../clients/index.ts'
import type { Conversation } from '../../conversation/read.ts'
import { bytesOfTranscript } from '../../conversation/transcript-bytes.ts'
import { isControlTurn, turnsOf } from '../../session/control-turns.ts'
import type { AgentSession } from '../../session/schema.ts'
import { readBinding } from '../../store/machine/binding.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Tells whether a native session holds this conversation and nothing else, so that the client's own resume gives the
 * model just that. Returns undefined if so, else the reason why not. Turns that only stopped or resumed do not count.
 */
export function nativeBelongs(
  ws: Workspace,
  conversation: Conversation,
  last: AgentSession,
  transcript: string,
): string | undefined {
  const others = conversation.session.agent_sessions.filter(
    (one) => one.native_id !== last.native_id || one.client !== last.client,
  )
  const elsewhere = others.length > 0 || conversation.session.forked_from !== undefined
  if (elsewhere && !wasHandedOver(ws, conversation, last, others))
    return 'parts of it were held in other sessions'
  const name = clientOf(last.client).name
  const { messages } = clientOf(last.client).reading.read({
    nativeId: last.native_id,
    bytes: bytesOfTranscript({ client: last.client, transcript }),
    sides: [],
    side: () => undefined,
  })
  // Pruned messages were said in this session too.
  const ours = new Set([...conversation.pruned.keys(), ...conversation.messages.map((message) => message.id)])
  const foreign = turnsOf(messages).filter(
    (turn) => !turn.every(({ id }) => ours.has(id)) && !isControlTurn(turn),
  )
  return foreign.length === 0 ? undefined : `its ${name} session also holds turns that are not part of it`
}

/** Whether the session began with a handoff of all that was said in the others, so that its model has read it there. */
function wasHandedOver(
  ws: Workspace,
  { path }: Conversation,
  last: AgentSession,
  others: readonly AgentSession[],
): boolean {
  const first = readBinding(ws.local, last.client, last.native_id)?.segments[0]
  if (first?.conversation !== path || first.how !== 'resume' || first.cleared) return false
  const since = Date.parse(first.started_at)
  return others.every((one) => Date.parse(one.last_active) <= since)
}
