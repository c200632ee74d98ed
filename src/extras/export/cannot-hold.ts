import type { Message } from '../../session/schema.ts'

/** A kind of part that a format cannot contain, and the number of such parts in a conversation. */
export interface Omission {
  what: string
  count: number
}

/** Parts that no linear format contains: events, messages that were taken back, the bytes of attachments. */
export function commonOmissions(ranged: readonly Message[], live: readonly Message[]): Omission[] {
  const kept = new Set(live)
  const events = ranged.filter(({ event }) => event !== undefined)
  return withoutZeros({
    'events of the record (started, resumed, rewound, compacted and the like)': events.length,
    'messages that a rewind took back': ranged.filter((one) => one.event === undefined && !kept.has(one))
      .length,
    'pictures and other parts that are not text (named in brackets)': live.filter(hasOtherParts).length,
    'long tool results of which the record contains only the beginning': live.filter(
      ({ truncated }) => truncated !== undefined,
    ).length,
  })
}

/** Omits zero counts. */
export function withoutZeros(counts: Record<string, number>): Omission[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => ({ what, count }))
}

function hasOtherParts({ content, attachments = [] }: Message): boolean {
  return attachments.length > 0 || (Array.isArray(content) && content.some(({ type }) => type !== 'text'))
}

/** The time in ms. Undefined for an invalid time, and for one before 1970 or after 9999, which some readers refuse. */
export function timeOf({ timestamp }: Message): number | undefined {
  const time = Date.parse(timestamp)
  return time >= 0 && time <= MAX_TIME ? time : undefined
}

const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z')
