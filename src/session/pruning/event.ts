import { crypto } from '../../hash.ts'
import * as z from '../../zod.ts'
import type { Message } from '../schema.ts'

/** The keys of a `pruned` event that this program reads. The event has other keys too. */
const Pruned = z.looseObject({
  id: z.string(),
  /** A path below `.session/`, with forward slashes. */
  archive: z.string().check(z.regex(/^archive\/[A-Za-z0-9_-][A-Za-z0-9_.-]*\.jsonl$/)),
  /** Where the pruned lines were in the file before pruning: runs of `[first line, count]`, 0-based. */
  places: z.array(z.tuple([z.int().check(z.nonnegative()), z.int().check(z.nonnegative())])),
  lines: z._default(z.number(), 0),
  /** The number of pruned messages that a person or an agent said. */
  messages: z._default(z.number(), 0),
  /** A summary of the lines, made without a model. */
  summary: z._default(z.string(), ''),
})
export type PrunedEvent = z.infer<typeof Pruned>

/** The `pruned` event of a line; undefined when the line is something else, or its event cannot be understood. */
export function prunedEvent(line: Message): PrunedEvent | undefined {
  return line.event === 'pruned' ? Pruned.safeParse(line).data : undefined
}

/**
 * The `pruned` events in the order of the lines, each with the index of its line. Only the first event for each archive
 * file counts.
 */
export function prunedEvents(lines: readonly Message[]): (PrunedEvent & { place: number })[] {
  const found = new Map<string, PrunedEvent & { place: number }>()
  for (const [place, line] of lines.entries()) {
    const event = prunedEvent(line)
    if (event !== undefined && !found.has(event.archive)) found.set(event.archive, { ...event, place })
  }
  return [...found.values()]
}

export interface Moved {
  archive: string
  places: [number, number][]
  bytes: number
}

/**
 * Makes the line that replaces the pruned lines. The new line has the time of the last pruned message, so that it takes
 * the place of the pruned lines in reading order.
 */
export function prunedLine(
  { archive, places, bytes }: Moved,
  about: {
    messages: number
    from: string
    to: string
    summary: string
    at: Date
    origin?: string | undefined
  },
): Message {
  const lines = places.reduce((sum, [, count]) => sum + count, 0)
  const { messages, from, to, summary, at, origin } = about
  const identity = ['pruned', archive].join('\0')
  return {
    id: crypto().createHash('sha256').update(identity).digest('hex').slice(0, 32),
    role: 'system',
    content: `${lines} earlier line${lines === 1 ? '' : 's'} (${messages} message${messages === 1 ? '' : 's'}, ${from} to ${to}) were moved to ${archive}`,
    timestamp: to,
    event: 'pruned',
    archive,
    lines,
    messages,
    bytes,
    from,
    to,
    places,
    pruned_at: at.toISOString(),
    summary,
    ...(origin === undefined ? {} : { origin }),
  }
}
