import { estimate } from '../../context/tokens/index.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'

/** The tokens that an agent would have to read of live messages: an estimate (context/tokens/index.ts). */
export function tokensOf(live: readonly Message[]): number {
  return live.reduce((sum, message) => sum + estimate.count(textOf(message)), 0)
}
