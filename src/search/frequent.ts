import { type Tally, widthOf } from './count.ts'
import { patternOf } from './pattern.ts'
import type { Query } from './query.ts'

/** Number of messages that are read to estimate how frequent a word is. */
export const SAMPLE = 1000
const FREQUENT = 0.25

/**
 * The query after a sample of messages. A word in more than a quarter of them says next to nothing, so it counts only
 * in messages that also contain a rarer word of the query; no other message is read any closer. The query stays as it
 * is when all its words are that frequent, or when the sample is too small.
 */
export function afterSample(query: Query, { counts }: Tally, messages: number): Query {
  if (messages < SAMPLE || query.literal !== undefined) return query
  const width = widthOf(query)
  const held = query.terms.map(() => 0)
  for (let at = 0; at < counts.length; at += 1)
    if (at % width < held.length && counts[at]! > 0) held[at % width]! += 1
  const frequent = new Map(
    held.flatMap((count, term) => (count > FREQUENT * messages ? [[term, count / messages]] : [])),
  )
  const rarer = query.terms.filter((_, term) => !frequent.has(term))
  if (frequent.size === 0 || rarer.length === 0) return query
  return { ...query, inJson: patternOf(rarer), frequent }
}

/** Takes the last text out of a tally when it holds frequent words only. Returns whether it stays. */
export function tells({ frequent, terms, phrases }: Query, tally: Tally): boolean {
  if (frequent === undefined) return true
  const begin = tally.counts.length - terms.length - phrases.length
  for (let term = 0; term < terms.length; term += 1)
    if (tally.counts[begin + term]! > 0 && !frequent.has(term)) return true
  tally.counts.length = begin
  tally.lengths.pop()
  return false
}
