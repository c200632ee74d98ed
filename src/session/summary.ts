import { isTalk, livePath, textOf } from './live-path.ts'
import type { Message } from './schema.ts'
import { cutAtWord, oneLine } from './title.ts'

const LENGTH = 160

/** A summary from the record itself, for a conversation that ended without one: what was asked last. '' if nothing was. */
export function mechanicalSummary(messages: readonly Message[]): string {
  const asked = livePath(messages).findLast(
    (message) => isTalk(message) && message.role === 'user' && oneLine(textOf(message)) !== '',
  )
  return asked === undefined ? '' : `Last said: ${cutAtWord(oneLine(textOf(asked)), LENGTH)}`
}
