import { plain } from '../text/without-accents.ts'
import { countIn, emptyTally } from './count.ts'
import { tells } from './frequent.ts'
import { parseQuery } from './parse-query.ts'
import { rank } from './rank.ts'

/**
 * How well each text of one conversation answers a question, by the same measure as the search. 0 for a text that
 * contains nothing of the question. All scores are 0 when the question is empty.
 */
export function relevanceOf(texts: readonly string[], question: string): number[] {
  const scores = new Array<number>(texts.length).fill(0)
  const query = parseQuery(question)
  if (query === undefined) return scores
  const messages = emptyTally()
  const indexes: number[] = []
  for (const [index, text] of texts.entries()) {
    const plainText = plain(text)
    if (countIn(plainText, query, messages) && tells(query, messages)) indexes.push(index)
  }
  const [ranked] = rank(query, [{ messages, count: texts.length, talk: texts.length, headings: [] }])
  for (const [position, index] of indexes.entries()) scores[index] = ranked?.scores[position] ?? 0
  return scores
}
