import { readFileSync } from 'node:fs'
import { clientOf } from '../clients/index.ts'
import { isOwnTurn, turnsOf } from '../session/own-turns.ts'
import type { AgentSession } from '../session/schema.ts'
import type { Conversation } from './conversation.ts'

/**
 * Whether a native session holds this conversation and nothing else, so that its own resume gives the model just
 * that; undefined if so, else why not. Turns that only stopped or resumed may lie beside it.
 */
export function nativeBelongs(
  conversation: Conversation,
  last: AgentSession,
  transcript: string,
): string | undefined {
  const elsewhere = conversation.session.agent_sessions.some(
    (one) => one.native_id !== last.native_id || one.client !== last.client,
  )
  // A handoff carried what was said elsewhere into this native session as its seed, unless that was cut.
  if (elsewhere) return 'parts of it were held in other sessions'
  const name = clientOf(last.client).name
  const { messages } = clientOf(last.client).read({
    nativeId: last.native_id,
    bytes: readFileSync(transcript),
    sides: [],
    side: () => undefined,
  })
  const ours = new Set(conversation.messages.map((message) => message.id))
  const foreign = turnsOf(messages).filter(
    (turn) => !turn.every(({ id }) => ours.has(id)) && !isOwnTurn(turn),
  )
  return foreign.length === 0 ? undefined : `its ${name} session also holds turns that are not part of it`
}
