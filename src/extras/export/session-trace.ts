import { contentOf } from '../../session/live-path.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { asJson } from '../../text/json.ts'
import { wellFormed } from '../../text/whole-characters.ts'
import { commonOmissions, type Omission, timeOf, withoutZeros } from './cannot-hold.ts'

/**
 * Makes the lines that the Hugging Face Hub shows in its viewer of agent traces. They are in the Session Trace Simple
 * Format (STS), which the Hub's page "Session Traces Format" describes. `live` is the exported part of the live path.
 * `omissions` lists what has no place in the format.
 */
export function asSessionTrace(
  session: SessionFile,
  ranged: readonly Message[],
  live: readonly Message[],
): { text: string; omissions: Omission[] } {
  const { agent_config: agent } = session
  const head = {
    type: 'session',
    harness: 'cortext',
    id: wellFormed(session.origin ?? session.conversation_id),
    name: wellFormed(session.title),
    client: wellFormed(agent.client),
    conversation: wellFormed(session.conversation_id),
  }
  const lines = [head, ...live.map((message) => ({ type: 'message', message: messageOf(message) }))]
  return {
    text: lines.map((line) => `${asJson(line)}\n`).join(''),
    omissions: [...commonOmissions(ranged, live), ...ownOmissions(live)],
  }
}

function messageOf(message: Message): object {
  const { role, model, reasoning, tool_calls: calls = [], tool_call_id: call } = message
  const time = timeOf(message)
  return {
    role,
    content: wellFormed(contentOf(message)),
    ...(reasoning === undefined ? {} : { reasoningContent: wellFormed(reasoning) }),
    ...(role !== 'assistant' || calls.length === 0
      ? {}
      : {
          toolCalls: calls.map(({ id, name, arguments: given }) => ({
            id,
            function: { name: wellFormed(name), arguments: JSON.stringify(given ?? {}) },
          })),
        }),
    ...(role !== 'tool' || call === undefined ? {} : { toolCallId: call }),
    ...(time === undefined ? {} : { timestamp: time }),
    ...(model === undefined ? {} : { model: wellFormed(model) }),
  }
}

function ownOmissions(live: readonly Message[]): Omission[] {
  return withoutZeros({
    'marks of failed and refused calls': live.filter((one) => one.is_error === true || one.refused === true)
      .length,
    'links from a message of a person to the call that it answers': live.filter(
      ({ role, tool_call_id: call }) => role === 'user' && call !== undefined,
    ).length,
    'names of authors': live.filter(({ author }) => author !== undefined).length,
    'invalid times': live.filter((one) => timeOf(one) === undefined).length,
  })
}
