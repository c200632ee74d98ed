import { CortextError } from '../errors.ts'
import { isTalk } from './live-path.ts'
import { callSpans, placeOf } from './pruning/cut.ts'
import type { Message } from './schema.ts'

export interface Range {
  /** The messages in reading order, events between them included. */
  messages: readonly Message[]
  /** How many messages were added to the wanted ones, so that no call is separated from its result. */
  widened: number
}

/**
 * The messages from `from` to `to`, both included. Each is named by number or id, as in `show --at`. The range is
 * widened so that no tool call is separated from its result. Throws `not-found` for a message that is not there, and
 * `usage` when `to` comes before `from`.
 */
export function rangeOf(
  ordered: readonly Message[],
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Range {
  const first = from === undefined ? 0 : placeOf(ordered, from)
  const last = to === undefined ? ordered.length - 1 : placeOf(ordered, to)
  if (first > last && ordered.length > 0)
    throw new CortextError('usage', 'the first message of the range comes after its last', {
      fix: '--from 1 --to 10',
    })
  const [start, end] = withWholeCalls(callSpans(ordered), [first, last])
  return { messages: ordered.slice(start, end + 1), widened: end - start - (last - first) }
}

function withWholeCalls(spans: readonly [number, number][], wanted: [number, number]): [number, number] {
  const byFirst = spans.toSorted((a, b) => a[0] - b[0])
  const byLast = spans.toSorted((a, b) => b[1] - a[1])
  let [start, end] = wanted
  for (let before = -1; before !== end - start; ) {
    before = end - start
    // The spans are sorted, so one pass moves the end, and then the start, as far as they go. The wider range may touch
    // further spans, so the passes repeat until the range stays the same.
    for (const [first, last] of byFirst) if (first <= end && last >= start) end = Math.max(end, last)
    for (const [first, last] of byLast) if (first <= end && last >= start) start = Math.min(start, first)
  }
  return [start, end]
}

export interface Passage {
  /** The messages in reading order, events between them included. No tool call is separated from its result. */
  messages: readonly Message[]
  /** The requested message. */
  at: Message
}

/**
 * At most this many messages of the person and the agent are shown before the requested message, and as many after it.
 * More are shown where this keeps a call together with its result.
 */
export const AROUND = 3

/**
 * Returns a message with what was said right before and after it. `which` is its number or id, as `placeOf` reads it.
 * Throws `not-found` for a message that is not there.
 */
export function around(ordered: readonly Message[], which: string): Passage {
  const center = placeOf(ordered, which)
  const talk = ordered.flatMap((message, index) => (isTalk(message) ? [index] : []))
  const before = talk.filter((index) => index < center)
  const after = talk.filter((index) => index > center)
  const from = before.at(-AROUND) ?? before[0] ?? center
  const to = after[AROUND - 1] ?? after.at(-1) ?? center
  const { messages } = rangeOf(ordered, { from: ordered[from]!.id, to: ordered[to]!.id })
  return { messages, at: ordered[center]! }
}
