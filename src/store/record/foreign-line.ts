import { crypto } from '../../hash.ts'
import { isMessage, isMessageField, type Message } from '../../session/schema.ts'

/**
 * Makes a message of a line that another program or a hand has written: role, content and timestamp are enough, as in
 * the design of version 1. Keys in the shapes that its documents use (`tool_calls: null`, `tokens: {count}`, `tool`,
 * `assistant`, `parentId`) become ours, and an optional key of any other shape is left out of the message; the line in
 * the file stays as it is. Undefined for anything else. An id that is missing is derived from role, time and content,
 * and from how many of the same there were `before`.
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
  const known = Object.entries(given).filter(([key, one]) => one !== undefined && isMessageField(key, one))
  const said = Object.fromEntries(known)
  const message = 'id' in said ? said : { id: idOf(said, before), ...said }
  return isMessage(message) ? message : undefined
}

/** Whether a message has keys of another shape, which mean some of ours. */
export function hasForeignKeys(message: Message): boolean {
  return 'assistant' in message || 'tool' in message || 'parentId' in message
}

function idOf(said: Record<string, unknown>, before: (sameAs: string) => number): string {
  const sameAs = JSON.stringify([said.role, said.timestamp, said.content])
  return crypto()
    .createHash('sha256')
    .update(`${before(sameAs)}\0${sameAs}`)
    .digest('hex')
    .slice(0, 32)
}

/** As ours, as in the documents (arguments as a JSON text), or as model interfaces have them (`function`). */
function callsOf(calls: unknown): unknown[] | undefined {
  if (!Array.isArray(calls)) return undefined
  return calls.map((call) => {
    const { function: inner, ...own } = fields(call)
    const { name, arguments: given } = { ...own, ...fields(inner) } as Record<string, unknown>
    return { ...own, name, arguments: typeof given === 'string' ? parsed(given) : given }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The arguments are a text by themselves.
    return text
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
