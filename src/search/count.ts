import type { Query } from './query.ts'
import { type Reading, WordReader } from './reader.ts'

/**
 * Counts for many texts in two flat arrays, since half of a million messages may contain a word. For each text,
 * `counts` has the number of occurrences of each term of the query, then of each phrase; `lengths` has its characters.
 */
export interface Tally {
  counts: number[]
  lengths: number[]
}

export function emptyTally(): Tally {
  return { counts: [], lengths: [] }
}

/** How many numbers `counts` has for each text. */
export function widthOf({ terms, phrases }: Query): number {
  return terms.length + phrases.length
}

/**
 * Counts a query in a plain text (text/plain.ts) and adds that to the tally; `weight` is what a word counts. Adds
 * nothing, and returns false, when nothing of the query is there.
 */
export function countIn(text: string, query: Query, into: Tally, reading: Reading = {}, weight = 1): boolean {
  const reader = new WordReader(text, query, reading)
  if (!reader.next()) return false
  const { counts } = into
  const begin = counts.length
  for (let left = widthOf(query); left > 0; left -= 1) counts.push(0)
  const rows = new Rows(query)
  do {
    for (const { term, weight: sure } of reader.meanings) {
      counts[begin + term]! += weight * sure
      rows.take(term, reader, counts, begin + query.terms.length)
    }
  } while (reader.next())
  into.lengths.push((reading.to ?? text.length) - (reading.from ?? 0))
  return true
}

/** Sees phrases: how many terms of each have come in a row. */
class Rows {
  readonly #phrases: Query['phrases']
  readonly #done: number[] = []
  readonly #ended: number[] = []

  constructor({ phrases }: Query) {
    this.#phrases = phrases
  }

  take(term: number, { start, end }: WordReader, counts: number[], begin: number): void {
    for (let at = 0; at < this.#phrases.length; at += 1) {
      const { terms, gaps } = this.#phrases[at]!
      const place = this.#done[at] ?? 0
      const goesOn = terms[place] === term && (place === 0 || start - this.#ended[at]! <= gaps[place]!)
      if (!goesOn && terms[0] !== term) continue
      const done = goesOn ? place + 1 : 1
      if (done === terms.length) counts[begin + at]! += 1
      this.#done[at] = done === terms.length ? 0 : done
      this.#ended[at] = end
    }
  }
}
