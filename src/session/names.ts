import { oneLine } from '../text/line.ts'
import type { IndexEntry } from './index-entry.ts'

/** The fields by which a conversation can be found. */
export interface Findable {
  id: string
  /** The last two parts of the folder's path: `2026-11-21/001-brainstorm-api-design`. */
  datedId: string
  title: string
  summary: string
  tags: readonly string[]
  /** The name that an agent loop uses for the conversation. */
  key?: string
}

/**
 * The conversations that have exactly this name: an id, a dated id, a number, a number with its day, or a key. Zeros
 * before a number do not count. If several conversations have the name, returns all of them, and guesses nothing.
 */
export function namedExactly<T extends Findable>(name: string, all: readonly T[]): T[] {
  const number = NUMBERED.test(name) ? name.replace(/(^|\/)0+(?=\d+$)/, '$1') : name
  return all.filter((conversation) => {
    const names = namesFor(conversation)
    return names.includes(name) || names.includes(number)
  })
}

/** A number, alone or with a day or a date: `3`, `003`, `11-21/3`, `2026-11-21/003`. */
const NUMBERED = /^(?:(?:\d{4}-)?\d{2}-\d{2}\/)?\d+$/

/** Whether a text can only mean the name of one conversation: it is a number, an id or a path, not words. */
export function looksLikeName(text: string): boolean {
  return /^(?:[+-]?\p{N}+|\d+-\S*|[.~]\S*|\S*[/\\]\S*)$/u.test(text.trim())
}

/**
 * Names each of `some` conversations by its id, or by its dated id if its id also names another conversation in
 * `among`.
 */
export function namesOf<T extends Findable>(
  some: readonly T[],
  among: readonly Findable[] = some,
): Map<T, string> {
  return uniqueNames(some, among, ({ id }) => [id])
}

/**
 * Names each of `some` conversations by the shortest name that no other one in `among` has: its number (`3`), the
 * number with the day (`11-21/3`) or with the date (`2026-11-21/3`), else the dated id. `namedExactly` knows all these
 * names.
 */
export function numbersOf<T extends Findable>(
  some: readonly T[],
  among: readonly Findable[] = some,
): Map<T, string> {
  return uniqueNames(some, among, numbersFor)
}

function uniqueNames<T extends Findable>(
  some: readonly T[],
  among: readonly Findable[],
  candidates: (conversation: Findable) => readonly string[],
): Map<T, string> {
  const wanted = some.map((conversation) => ({ conversation, names: candidates(conversation) }))
  // Only these names are counted, because a list shows fifty of ten thousand conversations.
  const counts = new Map(wanted.flatMap(({ names }) => names.map((name) => [name, 0])))
  const numbers = new Set([...counts.keys()].map((name) => name.slice(name.lastIndexOf('/') + 1)))
  for (const one of among) {
    const { id, datedId, key = '' } = one
    // Most conversations have none of the names, which this shows without making their names.
    const mayHave = [id, datedId, key].some((name) => counts.has(name))
    if (!mayHave && !numbers.has(String(Number.parseInt(id, 10)))) continue
    for (const name of namesFor(one)) {
      const count = counts.get(name)
      if (count !== undefined) counts.set(name, count + 1)
    }
  }
  return new Map(
    wanted.map(({ conversation, names }) => [
      conversation,
      names.find((name) => counts.get(name) === 1) ?? conversation.datedId,
    ]),
  )
}

/** All names of a conversation, each once. */
function namesFor(conversation: Findable): string[] {
  const { id, datedId, key } = conversation
  return [...new Set([id, datedId, ...numbersFor(conversation), ...(key === undefined ? [] : [key])])]
}

/** The names that have the number of a conversation, the shortest first; nothing for a folder without a number. */
function numbersFor({ id, datedId }: Findable): string[] {
  const number = /^(\d+)-/.exec(id)?.[1]
  if (number === undefined) return []
  const short = String(Number(number))
  const date = /^(\d{4}-)?(\d{2}-\d{2})\//.exec(datedId)
  return date === null ? [short] : [short, `${date[2]}/${short}`, `${date[1] ?? ''}${date[2]}/${short}`]
}

/** The number with the date: `2026-11-21/3`. No conversation of another day has this name. */
export function fullNumberOf(conversation: Findable): string {
  return numbersFor(conversation).at(-1) ?? conversation.datedId
}

/** The fields by which a conversation can be found, from its index entry. */
export function findableOf({ path, session }: { path: string; session: IndexEntry }): Findable {
  return {
    id: oneLine(session.conversation_id),
    datedId: path.split('/').slice(-2).join('/'),
    ...{ title: session.title, summary: session.context_summary, tags: session.tags ?? [] },
    ...(session.key === undefined ? {} : { key: session.key }),
  }
}
