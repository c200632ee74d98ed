import { lastAuthor } from '../../journeys/finding/last-author.ts'
import type { Kept } from './offered.ts'

/** At most this many of the newest conversations are read to find out whether several people talk here. */
const MAX_READ = 30

/**
 * Returns a function that finds out who typed last in a conversation. If the newest conversations name fewer than two
 * such people, the function always returns undefined.
 */
export function authorsIn(kept: readonly Kept[]): (one: Kept) => string | undefined {
  const cache = new Map<Kept, string | undefined>()
  const authorOf = (one: Kept) => {
    if (!cache.has(one)) cache.set(one, lastAuthor(one.folder))
    return cache.get(one)
  }
  const people = new Set(kept.slice(0, MAX_READ).flatMap((one) => authorOf(one) ?? []))
  return people.size > 1 ? authorOf : () => undefined
}
