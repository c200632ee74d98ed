import { isTalk } from '../live-path.ts'
import { placeOf } from '../pruning/cut.ts'
import type { Message } from '../schema.ts'
import { rangeOf } from './range.ts'

export interface Passage {
  /** In reading order, events between them included; no tool call without its result. */
  messages: readonly Message[]
  /** The message that was asked for. */
  at: Message
}

/** So many messages of person and agent are told before the one that was asked for, and after it. */
export const AROUND = 3

/**
 * A message by its number or id (placeOf) with what was said right before and after it. Throws `not-found` for a message
 * that is not there.
 */
export function around(ordered: readonly Message[], which: string): Passage {
  const place = placeOf(ordered, which)
  const said = ordered.flatMap((message, at) => (isTalk(message) ? [at] : []))
  const before = said.filter((at) => at < place)
  const after = said.filter((at) => at > place)
  const from = before.at(-AROUND) ?? before[0] ?? place
  const to = after[AROUND - 1] ?? after.at(-1) ?? place
  const { messages } = rangeOf(ordered, { from: ordered[from]!.id, to: ordered[to]!.id })
  return { messages, at: ordered[place]! }
}
