import { callKey, contentOf } from '../../session/live-path.ts'
import type { Message, SessionFile, ToolCall } from '../../session/schema.ts'
import { authorOfMessage } from '../../session/sharing/authors.ts'
import { wellFormed } from '../../text/whole-characters.ts'
import { commonOmissions, type Omission, timeOf, withoutZeros } from './cannot-hold.ts'

/** Agent Trajectory Interchange Format, RFC 0001 of the Harbor framework. */
const VERSION = 'ATIF-v1.7'

/**
 * Makes one ATIF document of a conversation. A message makes a step, and the results of its calls make the observation
 * of the step. `live` is the exported part of the live path. `omissions` lists what has no place in the format.
 */
export function asAtif(
  session: SessionFile,
  ranged: readonly Message[],
  live: readonly Message[],
): { document: object; omissions: Omission[] } {
  const { results, answers } = answersIn(live)
  const steps = live
    .filter((message) => !answers.has(message))
    .map((message, index) => stepOf(message, index + 1, results.get(message) ?? []))
  const { agent_config: agent } = session
  const model = agent.model === 'unknown' ? {} : { model_name: wellFormed(agent.model) }
  const document = {
    schema_version: VERSION,
    session_id: wellFormed(session.origin ?? session.conversation_id),
    agent: { name: wellFormed(agent.client), version: 'unknown', ...model },
    steps,
    notes: 'Made by cortext from the record of a conversation.',
    final_metrics: { total_steps: steps.length },
    extra: {
      conversation_id: wellFormed(session.conversation_id),
      type: wellFormed(session.conversation_type),
      title: wellFormed(session.title),
    },
  }
  return { document, omissions: [...commonOmissions(ranged, live), ...ownOmissions(live, answers.size)] }
}

/**
 * Finds the tool results that answer a call. `results` has them by the message of the call, and `answers` has all of
 * them. If two calls have the same id, a result answers the last of these calls before it.
 */
function answersIn(live: readonly Message[]): { results: Map<Message, Message[]>; answers: Set<Message> } {
  const callers = new Map<string, Message>()
  const results = new Map<Message, Message[]>()
  const answers = new Set<Message>()
  for (const message of live) {
    for (const { id } of message.tool_calls ?? []) callers.set(callKey(message, id), message)
    const caller = message.role === 'tool' ? callers.get(callKey(message, message.tool_call_id)) : undefined
    if (caller === undefined) continue
    answers.add(message)
    const before = results.get(caller)
    if (before === undefined) results.set(caller, [message])
    else before.push(message)
  }
  return { results, answers }
}

function stepOf(message: Message, step_id: number, results: readonly Message[]): object {
  const time = timeOf(message)
  const head = {
    step_id,
    ...(time === undefined ? {} : { timestamp: new Date(time).toISOString() }),
  }
  if (message.role === 'tool')
    return { ...head, source: 'system', message: '', observation: { results: [resultOf(message)] } }
  const text = wellFormed(contentOf(message))
  if (message.role === 'assistant')
    return { ...head, source: 'agent', message: text, ...ofAgent(message, results) }
  const author = authorOfMessage(message)
  const extra = {
    ...(author === undefined ? {} : { author }),
    ...(message.tool_call_id === undefined ? {} : { in_answer_to_call: message.tool_call_id }),
  }
  const more = Object.keys(extra).length === 0 ? {} : { extra }
  return { ...head, source: message.role, message: text, ...more }
}

/** The keys that only a step of the agent can have. */
function ofAgent(message: Message, results: readonly Message[]): object {
  const { model, reasoning, tool_calls: calls = [] } = message
  const answers = results.map((result) => resultOf(result, result.tool_call_id))
  return {
    ...(model === undefined ? {} : { model_name: wellFormed(model) }),
    ...(reasoning === undefined ? {} : { reasoning_content: wellFormed(reasoning) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
    ...(answers.length === 0 ? {} : { observation: { results: answers } }),
  }
}

function callOf(call: ToolCall): object {
  const { id, name, arguments: given } = call
  return {
    tool_call_id: id,
    function_name: wellFormed(name),
    arguments: isObject(given) ? given : given === undefined || given === null ? {} : { value: given },
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function resultOf(message: Message, call?: string): object {
  const extra = {
    ...(message.is_error === true ? { is_error: true } : {}),
    ...(message.refused === true ? { refused: true } : {}),
  }
  return {
    ...(call === undefined ? {} : { source_call_id: call }),
    content: wellFormed(contentOf(message)),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

/** `answers`: how many results are in the step of their call. */
function ownOmissions(live: readonly Message[], answers: number): Omission[] {
  const calls = live.flatMap((message) => message.tool_calls ?? [])
  return withoutZeros({
    'the version of the client, which the record does not contain ("unknown")': 1,
    'times of tool results (a result has the time of its step)': answers,
    'invalid times': live.filter((one) => timeOf(one) === undefined).length,
    'arguments that are not an object (put into one, as "value")': calls.filter(
      ({ arguments: given }) => given !== undefined && given !== null && !isObject(given),
    ).length,
  })
}
