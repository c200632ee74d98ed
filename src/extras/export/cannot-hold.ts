import type { Message } from '../../session/schema.ts'

/** Something that a format cannot contain. `count` counts the things that `what` names, such as messages or calls. */
export interface Omission {
  what: string
  count: number
}

/**
 * Counts what is missing in a format without branches. It cannot contain events, messages that were taken back, and
 * content that is not text. Long tool results are already cut in the record.
 */
export function commonOmissions(ranged: readonly Message[], live: readonly Message[]): Omission[] {
  const kept = new Set(live)
  const events = ranged.filter(({ event }) => event !== undefined)
  return withoutZeros({
    'events of the record (started, resumed, rewound, compacted and the like)': events.length,
    'messages that a rewind took back': ranged.filter((one) => one.event === undefined && !kept.has(one))
      .length,
    'messages with pictures or other parts that are not text (such as [image])':
      live.filter(hasOtherParts).length,
    'long tool results that the record contains only in part': live.filter(
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

/**
 * The time in ms. Undefined for an invalid time. Also undefined before 1970 and after 9999, because some readers refuse
 * such times.
 */
export function timeOf({ timestamp }: Message): number | undefined {
  const time = Date.parse(timestamp)
  return time >= 0 && time <= MAX_TIME ? time : undefined
}

const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z')
