import { crypto } from '../../hash.ts'
import { isMessage, isMessageField, type Message } from '../../session/schema.ts'
import { parseForeign } from '../../text/nesting.ts'

/**
 * Makes a message of a line that another program or a person has written. Role, content and timestamp are enough, as in
 * the design documents of version 1. Keys in the shapes that those documents use (`tokens: {count}`, `tool`,
 * `assistant`, `parentId`, `tool_calls: null`) become keys of ours. An optional key of any other shape is left out of
 * the message; the line in the file stays as it is. Undefined when no message can be made. A missing id is derived from
 * role, time and content. It also depends on the number of lines `before` that have the same three.
 */
export function messageOfForeign(value: unknown, before: (sameAs: string) => number): Message | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { parentId, tool, assistant, tokens, tool_calls, content, ...rest } = value as Record<string, unknown>
  const answer = fields(assistant)
  const calls = callsOf(tool_calls ?? answer.toolCalls)
  const { callId, name } = fields(tool)
  const given = {
    ...rest,
    content: content ?? (calls === undefined ? undefined : ''),
    parent_id: rest.parent_id ?? parentId,
    tool_calls: calls,
    tool_call_id: rest.tool_call_id ?? callId,
    tool_name: rest.tool_name ?? name,
    model: rest.model ?? answer.model,
    tokens: typeof tokens === 'object' ? fields(tokens).count : tokens,
  }
  const valid = Object.entries(given).filter(
    ([key, field]) => field !== undefined && isMessageField(key, field),
  )
  const converted = Object.fromEntries(valid)
  const message = 'id' in converted ? converted : { id: idOf(converted, before), ...converted }
  return isMessage(message) ? message : undefined
}

/** Whether a message has keys of the design documents that have other names in our messages. */
export function hasForeignKeys(message: Message): boolean {
  return 'assistant' in message || 'tool' in message || 'parentId' in message
}

function idOf(message: Record<string, unknown>, before: (sameAs: string) => number): string {
  const sameAs = JSON.stringify([message.role, message.timestamp, message.content])
  return crypto()
    .createHash('sha256')
    .update(`${before(sameAs)}\0${sameAs}`)
    .digest('hex')
    .slice(0, 32)
}

/**
 * Accepts calls in our own shape, in that of the design documents (arguments as a JSON text) and in that of model APIs
 * (`function`).
 */
function callsOf(calls: unknown): unknown[] | undefined {
  if (!Array.isArray(calls)) return undefined
  return calls.map((call) => {
    const { function: inner, ...own } = fields(call)
    const { name, arguments: given } = { ...own, ...fields(inner) } as Record<string, unknown>
    return { ...own, name, arguments: typeof given === 'string' ? parseIfJson(given) : given }
  })
}

function parseIfJson(text: string): unknown {
  try {
    return parseForeign(text)
  } catch {
    // The arguments are plain text.
    return text
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
