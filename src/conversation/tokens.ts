import { estimate } from '../context/tokens/index.ts'
import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'

/**
 * Returns the estimated tokens (context/tokens/index.ts) of all that was said. Messages that were taken back or cleared
 * count, as they do in the number of messages; events do not.
 */
export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) => (message.event === undefined ? sum + estimate.count(textOf(message)) : sum),
    0,
  )
}
