import { contentOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { type CallItem, callsLine } from './calls-line.ts'

/** A text that was said, or tool calls that one line reports. */
export type Part = string | readonly CallItem[]

/**
 * The parts are not in a field of the message. Otherwise a forged record could have this field and imitate lines of
 * cortext.
 */
const partsByMessage = new WeakMap<Message, readonly Part[]>()

/** Returns the texts of a message, and between them the tool calls that cortext reports in lines. */
export function partsOf(message: Message): readonly Part[] {
  const parts = partsByMessage.get(message)
  if (parts !== undefined) return parts
  const text = contentOf(message)
  return text === '' ? [] : [text]
}

/** Returns the message with these parts as its content. */
export function withParts(message: Message, parts: readonly Part[]): Message {
  const content = parts.map((part) => (typeof part === 'string' ? part : callsLine(part))).join('\n')
  const made = { ...message, content }
  partsByMessage.set(made, parts)
  return made
}
