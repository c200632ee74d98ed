import type { Query } from './query.ts'
import { type Reading, WordReader } from './reader.ts'

/**
 * The counts of a query in many texts. The arrays are flat, because hundreds of thousands of messages can contain a
 * word. For each text, `counts` has the weighted number of occurrences of each term of the query, then of each phrase.
 * `lengths` has the length of each text. If the query names days, `fits` says how well the time of each text fits them,
 * from 0 to 1.
 */
export interface Tally {
  counts: number[]
  lengths: number[]
  fits: number[]
}

export function emptyTally(): Tally {
  return { counts: [], lengths: [], fits: [] }
}

/** How many numbers `counts` has for each text. */
export function widthOf({ terms, phrases }: Query): number {
  return terms.length + phrases.length
}

/**
 * Counts a query in a plain text (text/without-accents.ts) and adds the counts, multiplied by `weight`, to the tally. Adds
 * nothing, and returns false, when the text contains nothing of the query.
 */
export function countIn(text: string, query: Query, into: Tally, reading: Reading = {}, weight = 1): boolean {
  const reader = new WordReader(text, query, reading)
  if (!reader.next()) return false
  const { counts } = into
  const begin = counts.length
  for (let left = widthOf(query); left > 0; left -= 1) counts.push(0)
  const phraseCounter = new PhraseCounter(query)
  do {
    for (const { term, weight: certainty } of reader.meanings) {
      counts[begin + term]! += weight * certainty
      phraseCounter.take(term, reader, counts, begin + query.terms.length, weight)
    }
  } while (reader.next())
  for (let index = begin; index < counts.length; index += 1) counts[index] = rounded(counts[index]!)
  into.lengths.push((reading.to ?? text.length) - (reading.from ?? 0))
  return true
}

/** A count without what the order of additions leaves, so that it is the same however it was added up. */
export function rounded(count: number): number {
  return Math.round(count * 1e4) / 1e4
}

/** How many characters before a phrase its `after` can match. */
const MAX_BEFORE = 12

/** Counts phrases. For each phrase, it keeps the number of terms that the text has had in a row so far. */
class PhraseCounter {
  readonly #phrases: Query['phrases']
  readonly #done: number[] = []
  readonly #ended: number[] = []

  constructor({ phrases }: Query) {
    this.#phrases = phrases
  }

  take(term: number, reader: WordReader, counts: number[], begin: number, weight: number): void {
    const { start, end } = reader
    for (let index = 0; index < this.#phrases.length; index += 1) {
      const { terms, gaps, after } = this.#phrases[index]!
      const next = this.#done[index] ?? 0
      const continues = terms[next] === term && (next === 0 || start - this.#ended[index]! <= gaps[next]!)
      if (!continues && terms[0] !== term) continue
      if (after !== undefined && !after.test(reader.before(MAX_BEFORE))) continue
      const done = continues ? next + 1 : 1
      if (done === terms.length) counts[begin + index]! += weight
      this.#done[index] = done === terms.length ? 0 : done
      this.#ended[index] = end
    }
  }
}
