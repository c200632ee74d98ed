import { plain } from '../text/plain.ts'
import { countIn, emptyTally } from './count.ts'
import { parseQuery } from './parse-query.ts'
import { rank } from './rank.ts'

/**
 * How well each of the texts of one conversation answers a question, by the same measure as the search; 0 for one that
 * holds nothing of it. All are 0 when nothing is asked.
 */
export function relevanceOf(texts: readonly string[], question: string): number[] {
  const scores = new Array<number>(texts.length).fill(0)
  const query = parseQuery(question)
  if (query === undefined) return scores
  const messages = emptyTally()
  const places: number[] = []
  let length = 0
  for (const [place, text] of texts.entries()) {
    const seen = plain(text)
    length += seen.length
    if (countIn(seen, query, messages)) places.push(place)
  }
  const [ranked] = rank(query, [{ messages, count: texts.length, length, headings: [] }])
  for (const [at, place] of places.entries()) scores[place] = ranked?.scores[at] ?? 0
  return scores
}
