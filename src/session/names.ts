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
}

/**
 * A name for each of these conversations that only it has: its id, or the dated id when several days have the same id.
 */
export function namesOf<T extends Findable>(all: readonly T[]): Map<T, string> {
  const counts = new Map<string, number>()
  for (const { id } of all) counts.set(id, (counts.get(id) ?? 0) + 1)
  return new Map(all.map((one) => [one, counts.get(one.id) === 1 ? one.id : one.datedId]))
}

/** The name of one of these conversations. */
export function nameOf<T extends Findable>(one: T, all: readonly T[]): string {
  return namesOf(all).get(one) ?? one.datedId
}

/**
 * The shortest name for each of some conversations that only it has `among` these: its number (`3`), with the day (`11-21/3`) or the
 * date (`2026-11-21/3`) where several have that, else the dated id. `match` knows all of them.
 */
export function numbersOf<T extends Findable>(
  some: readonly T[],
  among: readonly Findable[] = some,
): Map<T, string> {
  const counts = new Map<string, number>()
  for (const one of among) for (const name of numbersFor(one)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    some.map((one) => [one, numbersFor(one).find((name) => counts.get(name) === 1) ?? one.datedId]),
  )
}

/** What a conversation is called by its number and day, the shortest first; nothing for a folder without a number. */
export function numbersFor({ id, datedId }: Findable): string[] {
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
  }
}
