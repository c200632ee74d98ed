import type { Message } from '../session/schema.ts'
import { redactValue } from './index.ts'
import { type Asked, askedBy, redactOutput } from './outputs.ts'

/**
 * Redacts everything that was said or done in the messages; ids and times stay. Adds to `found`, by kind, how many
 * secrets there were.
 */
export function redactMessages(messages: readonly Message[], found: Record<string, number>): Message[] {
  const redact = messageRedactor()
  return messages.map((message) => redact(message, found))
}

/**
 * Returns a function that redacts one message after the other. It remembers which calls ask for a secret, also those
 * `before` the first message, since the output of `pass show db` does not say what it is.
 */
export function messageRedactor(
  before: readonly Message[] = [],
): (message: Message, found: Record<string, number>) => Message {
  const asked = new Map<string, Asked>()
  const remember = ({ tool_calls: calls }: Message) => {
    for (const { id, arguments: given } of calls ?? []) {
      const what = askedBy(given)
      if (what !== undefined) asked.set(id, what)
    }
  }
  for (const message of before) remember(message)
  return (message, found) => {
    remember(message)
    const { content, reasoning, tool_calls, raw, summary } = message
    const what = message.role === 'tool' ? asked.get(message.tool_call_id ?? '') : undefined
    const output = what === undefined ? { value: content, found: [] } : redactOutput(content, what)
    const result = redactValue({ content: output.value, reasoning, tool_calls, raw, summary })
    const all = [...output.found, ...result.found]
    if (all.length === 0) return message
    for (const { kind } of all) found[kind] = (found[kind] ?? 0) + 1
    return { ...message, ...withoutUndefined(result.value) }
  }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
