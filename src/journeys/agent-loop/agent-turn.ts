import type { Message } from '../../session/schema.ts'
import * as z from '../../zod.ts'

/** A message as an agent loop gives it. Id and time, which the record needs, may be missing. */
export const AgentMessage = z.looseObject({
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  /** Null means that there are tool calls and no text. */
  content: z.nullable(z.union([z.string(), z.array(z.looseObject({ type: z.string() }))])),
  tool_calls: z.optional(
    z.array(
      z.looseObject({
        id: z.string().check(z.minLength(1)),
        name: z.string().check(z.minLength(1)),
        arguments: z.unknown(),
      }),
    ),
  ),
  tool_call_id: z.optional(z.string()),
  tool_name: z.optional(z.string()),
  is_error: z.optional(z.boolean()),
  model: z.optional(z.string()),
  timestamp: z.optional(z.string()),
  id: z.optional(z.string().check(z.minLength(1))),
})
export type AgentMessage = z.infer<typeof AgentMessage>

/** Keys of a line that only this program may set. */
const RECORD_KEYS = ['event', 'native_id', 'native_session', 'parent_id', 'seq', 'to', 'truncated'] as const

/**
 * Returns the message, or a text that says what is wrong with it. `earlierCalls` has the ids of all tool calls before
 * the message; a valid message adds the ids of its own calls.
 */
export function checkAgentMessage(value: unknown, earlierCalls: Set<string>): AgentMessage | string {
  const parsed = AgentMessage.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `${issue?.path.join('.') || 'it'}: ${issue?.message}`
  }
  const message = value as AgentMessage
  const wrong = wrongWith(message, earlierCalls)
  if (wrong !== undefined) return wrong
  for (const { id } of message.tool_calls ?? []) earlierCalls.add(id)
  return message
}

function wrongWith(message: AgentMessage, earlierCalls: ReadonlySet<string>): string | undefined {
  const { role, tool_calls: calls, tool_call_id: answered, timestamp } = message
  const ours = RECORD_KEYS.find((key) => message[key] !== undefined)
  if (ours !== undefined) return `${ours}: this key is the record's own`
  if (calls !== undefined && role !== 'assistant')
    return 'tool_calls: only a message of the assistant has them'
  if (message.content === null && (calls ?? []).length === 0) return 'content: it is null, without tool calls'
  if (role === 'tool' && answered === undefined) return 'tool_call_id: a tool result names its call'
  if (role === 'tool' && !earlierCalls.has(answered!))
    return `tool_call_id: there is no call ${JSON.stringify(answered)} before it`
  if (role !== 'tool' && answered !== undefined) return 'tool_call_id: only a tool result has it'
  if (timestamp !== undefined && !isTime(timestamp))
    return 'timestamp: not an ISO 8601 time like 2026-11-21T10:30:00Z'
  return undefined
}

/** Whether a text is a time with a zone. A time without a zone means different moments on different machines. */
function isTime(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}

/** Makes the line of the record. It begins with the keys that every message has, in a fixed order. */
export function asLine(message: AgentMessage, id: string, now: Date): Message {
  const { id: given, role, content, timestamp, ...rest } = message
  const at = timestamp === undefined ? now : new Date(timestamp)
  return {
    id,
    role,
    content: content ?? '',
    timestamp: at.toISOString(),
    ...rest,
    ...(given === undefined ? {} : { native_id: given }),
  }
}

/** Whether two lines say the same; their times do not count. */
export function saysTheSame(a: Message, b: Message): boolean {
  const said = ({ role, content, tool_calls, tool_call_id, truncated }: Message): string =>
    JSON.stringify([role, content, tool_calls, tool_call_id, truncated?.sha256])
  return said(a) === said(b)
}

const MAX_KEY_LENGTH = 500

/** Says why a text cannot be the key of a conversation; undefined when it can. */
export function wrongKey(key: string): string | undefined {
  if (key === '') return 'it is empty'
  if (key.length > MAX_KEY_LENGTH) return `it has ${key.length} characters, more than ${MAX_KEY_LENGTH}`
  return /\p{Surrogate}/u.test(key) ? 'it contains half a character' : undefined
}
