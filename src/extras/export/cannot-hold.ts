import type { Message } from '../../session/schema.ts'

/** What a format cannot hold of a conversation: how many of what. */
export interface NotHeld {
  what: string
  count: number
}

/** What no format of one line of talk holds: events, what was taken back, the bytes of attachments. */
export function notHeldByAny(ranged: readonly Message[], live: readonly Message[]): NotHeld[] {
  const kept = new Set(live)
  const events = ranged.filter(({ event }) => event !== undefined)
  return counted({
    'events of the record (started, resumed, rewound, compacted and the like)': events.length,
    'messages that a rewind took back': ranged.filter((one) => one.event === undefined && !kept.has(one))
      .length,
    'pictures and other parts that are no text (named in brackets)': live.filter(hasOtherParts).length,
    'long results of tools of which the record itself holds the beginning only': live.filter(
      ({ truncated }) => truncated !== undefined,
    ).length,
  })
}

/** Those of which there are any. */
export function counted(counts: Record<string, number>): NotHeld[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => ({ what, count }))
}

function hasOtherParts({ content, attachments = [] }: Message): boolean {
  return attachments.length > 0 || (Array.isArray(content) && content.some(({ type }) => type !== 'text'))
}

/** A time in milliseconds; undefined where a record holds none that every reader of ISO 8601 takes. */
export function timeOf({ timestamp }: Message): number | undefined {
  const time = Date.parse(timestamp)
  return time >= 0 && time <= LATEST ? time : undefined
}

/** The end of the year 9999. */
const LATEST = 253_402_300_799_999
