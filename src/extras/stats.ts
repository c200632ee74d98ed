import type { Listed } from '../journeys/finding/list.ts'
import { localTime } from '../text/local-time.ts'

export interface Sum {
  conversations: number
  /** The messages of persons and agents. */
  messages: number
  /** The sum of `token_count` in session.json, which is an estimate. */
  tokens: number
}

export interface Stats {
  total: Sum
  /** The conversations of each week, by their last activity. A week is named after its Monday. Oldest first. */
  weeks: Record<string, Sum>
  /** The type with the most messages comes first. The same holds for `clients`. */
  types: Record<string, Sum>
  clients: Record<string, Sum>
}

/** Sums up conversations, messages and tokens. Pure. */
export function statsOf(conversations: readonly Listed[]): Stats {
  const weeks = sumsBy(conversations, ({ lastActive }) => weekOf(lastActive))
  return {
    total: sumOf(conversations),
    weeks: Object.fromEntries(weeks.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    types: Object.fromEntries(mostFirst(sumsBy(conversations, ({ type }) => type))),
    clients: Object.fromEntries(mostFirst(sumsBy(conversations, ({ client }) => client))),
  }
}

const UNKNOWN = 'unknown'

/** The Monday of a date's week, such as `2026-11-23`; `unknown` for an invalid date. */
function weekOf(date: Date): string {
  const sinceMonday = (date.getDay() + 6) % 7
  const monday = new Date(date.getFullYear(), date.getMonth(), date.getDate() - sinceMonday)
  return Number.isNaN(monday.getTime()) ? UNKNOWN : localTime(monday).slice(0, -6)
}

function sumsBy(conversations: readonly Listed[], nameOf: (one: Listed) => string): [string, Sum][] {
  const groups = new Map<string, Listed[]>()
  for (const one of conversations) {
    const name = nameOf(one)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return [...groups].map(([name, some]) => [name, sumOf(some)])
}

function sumOf(conversations: readonly Listed[]): Sum {
  const sum = { conversations: conversations.length, messages: 0, tokens: 0 }
  for (const { messages, tokens } of conversations) {
    sum.messages += messages
    sum.tokens += tokens
  }
  return sum
}

function mostFirst(sums: [string, Sum][]): [string, Sum][] {
  return sums.sort(([a, one], [b, other]) => other.messages - one.messages || (a < b ? -1 : 1))
}
