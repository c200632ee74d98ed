import { crypto } from '../crypto.ts'
import * as z from '../zod.ts'
import type { Message } from './schema.ts'

/** What a `pruned` event says besides what every message says: which lines lie where, and what they came to. */
const Pruned = z.looseObject({
  id: z.string(),
  /** Below `.session/`, forward slashes. */
  archive: z.string().check(z.regex(/^archive\/[A-Za-z0-9_-][A-Za-z0-9_.-]*\.jsonl$/)),
  /** Where the lines lay: runs of `[line, count]`, 0-based, in the file as it was. */
  places: z.array(z.tuple([z.int().check(z.nonnegative()), z.int().check(z.nonnegative())])),
  lines: z._default(z.number(), 0),
  /** Of them what a person or an agent said. */
  messages: z._default(z.number(), 0),
  /** A mechanical summary of them. */
  summary: z._default(z.string(), ''),
})
export type PrunedEvent = z.infer<typeof Pruned>

/** The `pruned` event of a line; undefined where it is none, or one that nobody can follow. */
export function prunedEvent(line: Message): PrunedEvent | undefined {
  return line.event === 'pruned' ? Pruned.safeParse(line).data : undefined
}

/** The first of each archive, in the order of the lines. */
export function prunedEvents(lines: readonly Message[]): PrunedEvent[] {
  const found = new Map<string, PrunedEvent>()
  for (const line of lines) {
    const event = prunedEvent(line)
    if (event !== undefined && !found.has(event.archive)) found.set(event.archive, event)
  }
  return [...found.values()]
}

export interface Moved {
  archive: string
  places: [number, number][]
  bytes: number
}

/** The line that stands for the lines that were moved. It has the time of the last of them, so that it reads in their place. */
export function prunedLine(
  { archive, places, bytes }: Moved,
  about: { messages: number; from: string; to: string; summary: string; at: Date },
): Message {
  const lines = places.reduce((sum, [, count]) => sum + count, 0)
  const { messages, from, to, summary, at } = about
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
  }
}
