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
  /** The name that an agent loop uses for it. */
  key?: string
}

/**
 * The conversations that a name means, to the letter: by id, date and id, number, number with its day, or key. Zeros
 * before a number do not count. Several are several: nothing is guessed here.
 */
export function namedExactly<T extends Findable>(name: string, all: readonly T[]): T[] {
  const number = NUMBERED.test(name) ? name.replace(/(^|\/)0+(?=\d+$)/, '$1') : name
  return all.filter((one) => {
    const names = namesFor(one)
    return names.includes(name) || names.includes(number)
  })
}

/** `3`, `003`, `11-21/3`, `2026-11-21/003` */
const NUMBERED = /^(?:(?:\d{4}-)?\d{2}-\d{2}\/)?\d+$/

/** Whether a text can only be meant as the name of one conversation: a number, an id or a path, which are no words. */
export function looksLikeName(text: string): boolean {
  return /^(?:[+-]?\p{N}+|\d+-\S*|[.~]\S*|\S*[/\\]\S*)$/u.test(text.trim())
}

/**
 * A name for each of some conversations that only it has `among` these: its id, or the dated id where another is called
 * that too.
 */
export function namesOf<T extends Findable>(
  some: readonly T[],
  among: readonly Findable[] = some,
): Map<T, string> {
  return onlyNames(some, among, ({ id }) => [id])
}

/**
 * The shortest name for each of some conversations that only it has `among` these: its number (`3`), with the day
 * (`11-21/3`) or the date (`2026-11-21/3`) where several have that, else the dated id. `namedExactly` knows all of
 * them.
 */
export function numbersOf<T extends Findable>(
  some: readonly T[],
  among: readonly Findable[] = some,
): Map<T, string> {
  return onlyNames(some, among, numbersFor)
}

function onlyNames<T extends Findable>(
  some: readonly T[],
  among: readonly Findable[],
  offered: (one: Findable) => readonly string[],
): Map<T, string> {
  const counts = new Map<string, number>()
  for (const one of among) for (const name of namesFor(one)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(some.map((one) => [one, offered(one).find((name) => counts.get(name) === 1) ?? one.datedId]))
}

/** All that a conversation is called, each once. */
function namesFor(one: Findable): string[] {
  const { id, datedId, key } = one
  return [...new Set([id, datedId, ...numbersFor(one), ...(key === undefined ? [] : [key])])]
}

/** The names of a conversation by its number and day, the shortest first; nothing for a folder without a number. */
function numbersFor({ id, datedId }: Findable): string[] {
  const number = /^(\d+)-/.exec(id)?.[1]
  if (number === undefined) return []
  const short = String(Number(number))
  const date = /^(\d{4}-)?(\d{2}-\d{2})\//.exec(datedId)
  return date === null ? [short] : [short, `${date[2]}/${short}`, `${date[1] ?? ''}${date[2]}/${short}`]
}

/** The longest of these, which no conversation of another day has: `2026-11-21/3`. */
export function fullNumberOf(one: Findable): string {
  return numbersFor(one).at(-1) ?? one.datedId
}

/** A conversation by what its session.json says. */
export function findableOf({ path, session }: { path: string; session: IndexEntry }): Findable {
  return {
    id: oneLine(session.conversation_id),
    datedId: path.split('/').slice(-2).join('/'),
    ...{ title: session.title, summary: session.context_summary, tags: session.tags ?? [] },
    ...(session.key === undefined ? {} : { key: session.key }),
  }
}
