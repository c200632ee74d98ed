import { lastAuthor } from '../../journeys/finding/last-author.ts'
import type { Kept } from './offered.ts'

/** So many of the newest conversations tell whether several people talk here. */
const LOOKED = 30

/** Who typed last in a conversation. Where one person alone did in all of the newest, there is nobody to tell apart. */
export function authorsIn(kept: readonly Kept[]): (one: Kept) => string | undefined {
  const known = new Map<Kept, string | undefined>()
  const authorOf = (one: Kept) => {
    if (!known.has(one)) known.set(one, lastAuthor(one.folder))
    return known.get(one)
  }
  const people = new Set(kept.slice(0, LOOKED).flatMap((one) => authorOf(one) ?? []))
  return people.size > 1 ? authorOf : () => undefined
}
