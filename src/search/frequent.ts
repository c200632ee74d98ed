import { type Tally, widthOf } from './count.ts'
import { patternOf } from './pattern.ts'
import type { Query } from './query.ts'

/** Number of messages that are read to estimate how frequent a word is. */
export const SAMPLE = 1000
const FREQUENT_FROM = 0.25

/**
 * Returns the query to use for the messages after a sample. A word in more than a quarter of the sample says next to
 * nothing. So the search skips messages that contain only such words of the query. The query stays as it is when all
 * its words are that frequent, or when the sample is too small.
 */
export function afterSample(query: Query, { counts }: Tally, messages: number): Query {
  if (messages < SAMPLE || query.literal !== undefined) return query
  const width = widthOf(query)
  const messagesWith = query.terms.map(() => 0)
  for (let index = 0; index < counts.length; index += 1)
    if (index % width < messagesWith.length && counts[index]! > 0) messagesWith[index % width]! += 1
  const frequent = new Map(
    messagesWith.flatMap((count, term) =>
      count > FREQUENT_FROM * messages ? [[term, count / messages]] : [],
    ),
  )
  const rarer = query.terms.filter(({ related }, term) => !related && !frequent.has(term))
  if (frequent.size === 0 || rarer.length === 0) return query
  return { ...query, inJson: patternOf(rarer), frequent }
}

/**
 * Removes the last text of a tally if every word of the query that it contains is a frequent or a related word. Returns
 * whether the text stays.
 */
export function tells({ frequent, terms, phrases }: Query, tally: Tally): boolean {
  const begin = tally.counts.length - terms.length - phrases.length
  for (let term = 0; term < terms.length; term += 1)
    if (tally.counts[begin + term]! > 0 && !terms[term]!.related && !frequent?.has(term)) return true
  tally.counts.length = begin
  tally.lengths.pop()
  return false
}
