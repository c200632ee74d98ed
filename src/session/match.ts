import Fuse from 'fuse.js'

/** What a conversation can be found by. */
export interface Findable {
  id: string
  /** `2026-11-21/001-brainstorm-api-design`: the folder's last two parts. */
  datedId: string
  title: string
  summary: string
  tags: readonly string[]
}

export interface Match<T> {
  /** Those that the query means, best first; one = found, several = ask, none = see `nearest`. */
  found: T[]
  /** When nothing was found: what comes closest, best first, at most five. */
  nearest: T[]
}

/**
 * Finds conversations by exact id › date/id › number prefix › every word in title, id, summary or tags › fuzzy
 * (X-17, S0-D4g). The first rung that finds anything answers. What was said is searched by the caller, after this.
 */
export function match<T extends Findable>(query: string, all: readonly T[]): Match<T> {
  const wanted = fold(query)
  if (wanted === '') return { found: [], nearest: [] }
  const rungs: ((one: T) => boolean)[] = [
    (one) =>
      one.datedId === query.trim() || one.datedId.endsWith(`/${query.trim()}`) || one.id === query.trim(),
    (one) => /^\d+$/.test(wanted) && Number(one.id.split('-')[0]) === Number(wanted),
    (one) => fold(one.title) === wanted,
    (one) => words(wanted).every((word) => haystack(one).includes(word)),
  ]
  for (const rung of rungs) {
    const found = all.filter(rung)
    if (found.length > 0) return { found, nearest: [] }
  }
  return fuzzy(wanted, all)
}

/** Of the ids that are alike on several days, how each is called so that it is clear which. */
export function nameOf(one: Findable, all: readonly Findable[]): string {
  return all.filter((other) => other.id === one.id).length > 1 ? one.datedId : one.id
}

const FUZZY_ENOUGH = 0.4
const NEAREST = 5

function fuzzy<T extends Findable>(wanted: string, all: readonly T[]): Match<T> {
  const fuse = new Fuse(
    all.map((one) => ({
      one,
      title: fold(one.title),
      id: fold(one.id),
      rest: fold(`${one.summary} ${one.tags.join(' ')}`),
    })),
    {
      keys: [
        { name: 'title', weight: 3 },
        { name: 'id', weight: 2 },
        { name: 'rest', weight: 1 },
      ],
      includeScore: true,
      ignoreLocation: true,
      threshold: 0.7,
      minMatchCharLength: 2,
    },
  )
  const hits = fuse.search(wanted)
  const found = hits.filter((hit) => (hit.score ?? 1) <= FUZZY_ENOUGH).map((hit) => hit.item.one)
  return found.length > 0
    ? { found, nearest: [] }
    : { found: [], nearest: hits.slice(0, NEAREST).map((hit) => hit.item.one) }
}

function haystack(one: Findable): string {
  return fold(`${one.title} ${one.id} ${one.summary} ${one.tags.join(' ')}`)
}

/** Lower case, no accents, hyphens as spaces. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[-_/\s]+/g, ' ')
    .trim()
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
