import type { Message } from './schema.ts'

/**
 * The live messages of a conversation, in reading order: no events, and no messages that a rewind took back. The
 * messages of a native session form a chain: each follows the message before it. A message after a rewind follows the
 * message to which the rewind leads. The last message of each session is live, and so are all messages before it in its
 * chain. So a rewind may also lead to a message that an earlier rewind took back. A rewind stays within its own native
 * session. Messages before the last `cleared` event with `anew` do not count, and no rewind reaches them.
 */
export function livePath(all: readonly Message[]): Message[] {
  const ordered = sinceCleared(all)
  // Without a rewind, every message is live.
  if (!ordered.some(({ event }) => event === 'rewound'))
    return ordered.filter((message) => message.event === undefined)
  const before = new Map<string, string | undefined>()
  const newest = new Map<string, string | undefined>()
  for (const message of ordered) {
    const session = message.native_session ?? ''
    if (message.event === 'rewound') newest.set(session, anchorOf(message))
    else if (message.event === undefined) {
      before.set(message.id, newest.get(session))
      newest.set(session, message.id)
    }
  }
  const live = new Set<string>()
  for (const last of newest.values())
    for (let id = last; id !== undefined && !live.has(id); id = before.get(id)) live.add(id)
  const calls = new Set(ordered.flatMap((message) => (live.has(message.id) ? callsOf(message) : [])))
  return ordered.filter(
    (message) => message.event === undefined && (live.has(message.id) || answers(message, calls)),
  )
}

/** The messages that rewinds took back, after the last `cleared` event with `anew`. */
export function rewoundMessages(all: readonly Message[]): Set<Message> {
  const live = new Set(livePath(all))
  return new Set(sinceCleared(all).filter((message) => message.event === undefined && !live.has(message)))
}

/** The messages after the last `cleared` event with `anew`; all messages if there is no such event. */
export function sinceCleared(ordered: readonly Message[]): readonly Message[] {
  return ordered.slice(ordered.findLastIndex(beginsAnew) + 1)
}

/**
 * A `cleared` event without `anew` only marks where a client's window was cleared. Earlier messages stay on the live
 * path.
 */
function beginsAnew({ event, anew }: Message): boolean {
  return event === 'cleared' && anew === true
}

/**
 * Returns the id of the message to which a rewind leads. If no line has this id, the message is older than this
 * conversation's part of the native session. Such a rewind takes back that whole part.
 */
function anchorOf({ to }: Message): string | undefined {
  return typeof to === 'string' ? to : undefined
}

function callsOf(message: Message): string[] {
  return (message.tool_calls ?? []).map((call) => callKey(message, call.id))
}

/** Names a call, whose id is unique only within its native session. */
export function callKey({ native_session: session }: Message, id: string | undefined): string {
  return `${session} ${id}`
}

/** Results stay with their call: a rewind to a message that called tools keeps their results. */
function answers(message: Message, calls: ReadonlySet<string>): boolean {
  return message.role === 'tool' && calls.has(callKey(message, message.tool_call_id))
}

/** Whether a person or the agent said this message. Events and tool results are not talk. */
export function isTalk(message: Message): boolean {
  return message.event === undefined && (message.role === 'user' || message.role === 'assistant')
}

/**
 * Whether a turn begins with this message. What the person says in the answer to a call is part of the running turn.
 */
export function isPrompt(message: Message): boolean {
  return message.role === 'user' && message.event === undefined && message.tool_call_id === undefined
}

/** The text of a message: its text parts joined, without the other parts. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content
  return message.content
    .map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n')
}

/**
 * The text of a message, and after it a name in brackets for each attachment or other part that is not text: `[image]`.
 */
export function contentOf(message: Message): string {
  const others = Array.isArray(message.content)
    ? message.content.filter((part) => part.type !== 'text').map((part) => `[${part.type}]`)
    : (message.attachments ?? []).map((file) => `[attachment ${file.name ?? file.media_type}]`)
  return [textOf(message), ...others].filter((line) => line !== '').join('\n')
}
