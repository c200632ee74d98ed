import type { Message } from '../session/schema.ts'
import { redactValue } from './index.ts'

/**
 * Redacts everything that was said or done in the messages; ids and times stay. Adds to `found`, by kind, how many
 * secrets there were.
 */
export function redactMessages(messages: readonly Message[], found: Record<string, number>): Message[] {
  return messages.map((message) => {
    const { content, reasoning, tool_calls, raw, summary } = message
    const result = redactValue({ content, reasoning, tool_calls, raw, summary })
    if (result.found.length === 0) return message
    for (const { kind } of result.found) found[kind] = (found[kind] ?? 0) + 1
    return { ...message, ...withoutUndefined(result.value) }
  })
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
