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
