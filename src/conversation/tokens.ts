import { estimate } from '../context/tokens/index.ts'
import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'

/**
 * Returns the estimated tokens (context/tokens/index.ts) of all that was said. Messages that were taken back or cleared
 * count too, as in the message count. Events do not count.
 */
export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) => (message.event === undefined ? sum + estimate.count(textOf(message)) : sum),
    0,
  )
}
