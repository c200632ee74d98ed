import type { Message } from './schema.ts'

/**
 * What the conversation now consists of: messages in reading order without events, and without those that a
 * rewind took back. A rewind reaches only into its own native session.
 */
export function livePath(ordered: readonly Message[]): Message[] {
  let live: Message[] = []
  for (const message of ordered) {
    if (message.event === 'rewound') live = rewind(live, message)
    else if (message.event === undefined) live.push(message)
  }
  return live
}

function rewind(live: Message[], event: Message): Message[] {
  const to = typeof event.to === 'string' ? event.to : null
  const anchor = to === null ? -1 : live.findIndex((message) => message.id === to)
  // An anchor that is not here lies before this conversation's part of the native session: all of that part goes.
  const end = anchor === -1 ? -1 : anchor + toolResultsBehind(live, anchor)
  return live.filter((message, index) => index <= end || message.native_session !== event.native_session)
}

/** Results of the anchor's own tool calls stay with it. */
function toolResultsBehind(live: Message[], anchor: number): number {
  const calls = new Set(live[anchor]?.tool_calls?.map((call) => call.id))
  let count = 0
  while (calls.has(live[anchor + count + 1]?.tool_call_id ?? '')) count += 1
  return count
}

/** Messages that count: what the person and the agent said. */
export function isTalk(message: Message): boolean {
  return message.event === undefined && (message.role === 'user' || message.role === 'assistant')
}

/** The text of a message: parts joined, other than text left out. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content
  return message.content
    .map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n')
}
