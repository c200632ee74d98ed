import { estimate } from '../context/tokens/index.ts'
import { textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'

/**
 * The tokens of all that was said: an estimate (context/tokens/index.ts). What was taken back or cleared counts, because
 * it counts as a message as well; events do not.
 */
export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) => (message.event === undefined ? sum + estimate.count(textOf(message)) : sum),
    0,
  )
}
