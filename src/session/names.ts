/** What a conversation can be found by. */
export interface Findable {
  id: string
  /** `2026-11-21/001-brainstorm-api-design`: the folder's last two parts. */
  datedId: string
  title: string
  summary: string
  tags: readonly string[]
}

/** How each of these is called so that it is clear which: by its id, where the same id is on several days with the day. */
export function namesOf<T extends Findable>(all: readonly T[]): Map<T, string> {
  const counts = new Map<string, number>()
  for (const { id } of all) counts.set(id, (counts.get(id) ?? 0) + 1)
  return new Map(all.map((one) => [one, counts.get(one.id) === 1 ? one.id : one.datedId]))
}

/** One of them, by its name among them. */
export function nameOf<T extends Findable>(one: T, all: readonly T[]): string {
  return namesOf(all).get(one) ?? one.datedId
}
