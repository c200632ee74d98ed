import type { Tally } from './count.ts'
import type { Query } from './query.ts'
import { rarityOf } from './rarity.ts'

/** A conversation, with the counts of the query in it. */
export interface Candidate {
  /** The messages that contain any of the query. */
  messages: Tally
  /** Number of all its messages. */
  count: number
  /** Characters of all messages. */
  length: number
  /** Titles and other headings, with the weight of a word in each. */
  headings: readonly { counted: Tally; weight: number }[]
}

export interface Ranked<C extends Candidate> {
  candidate: C
  score: number
  /** The score of each message in `messages`. */
  scores: number[]
  /** The part of the query that it contains, from 0 to 1; rare words count more. */
  covered: number
}

/**
 * Ranks conversations for a query, best first, without those that hold nothing of it. By BM25: rare words count more,
 * and a word that comes again counts less each time. A conversation counts as one text, and in addition by its best
 * messages, so that words that were said together count more than words far apart. The numbers were found with
 * questions about other conversations (docs/search.md).
 */
export function rank<C extends Candidate>(query: Query, candidates: readonly C[]): Ranked<C>[] {
  const weights = [...query.terms, ...query.phrases].map(({ weight }) => weight)
  const wholes = candidates.map((one) => wholeOf(one, weights.length))
  const messages = sum(candidates.map(({ count }) => count))
  const length = sum(candidates.map((one) => one.length))
  const tallies = candidates.map((one) => one.messages)
  const rare = weightsOf(weights, tallies, messages, query.frequent)
  const rareWhole = weightsOf(weights, wholes, candidates.length, query.frequent)
  const asMessage = { rare, mean: length / Math.max(messages, 1), ...MESSAGE }
  const asWhole = { rare: rareWhole, mean: length / Math.max(candidates.length, 1), ...WHOLE }
  return candidates
    .map((candidate, at) => {
      const scores = bm25(candidate.messages, asMessage)
      const headings = candidate.headings.map(
        ({ counted, weight }) => weight * bm25(counted, { ...asMessage, b: 0 })[0]!,
      )
      const score = bm25(wholes[at]!, asWhole)[0]! + bestOf(scores) + sum(headings)
      return { candidate, score, scores, covered: coverage(query, wholes[at]!, rare) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

/** `k1`: how soon a word that comes again counts no more. `b`: how much a long text has to hold more. */
const MESSAGE = { k1: 0.6, b: 0.5 }
const WHOLE = { k1: 1.2, b: 0.5 }
/** The part of its score that the best message adds to its conversation, and the factor for each further one. */
const BEST = { share: 0.3, further: 0.55, most: 10 }

function bestOf(scores: readonly number[]): number {
  const best: number[] = []
  for (const score of scores) {
    if (best.length === BEST.most && score <= best.at(-1)!) continue
    best.push(score)
    best.sort((a, b) => b - a)
    best.length = Math.min(best.length, BEST.most)
  }
  return BEST.share * sum(best.map((score, at) => score * BEST.further ** at))
}

/** The counts of a conversation as if it were one text. */
function wholeOf({ messages, headings, length }: Candidate, width: number): Tally {
  const counts = new Array<number>(width).fill(0)
  for (const one of [messages, ...headings.map(({ counted }) => counted)])
    for (let at = 0; at < one.counts.length; at += 1) counts[at % width]! += one.counts[at]!
  return { counts, lengths: [length] }
}

/**
 * The weight of each term and phrase: the fewer of the texts hold it, the higher. Not all `frequent` ones were counted.
 */
function weightsOf(
  weights: readonly number[],
  tallies: readonly Tally[],
  all: number,
  frequent: Query['frequent'],
): number[] {
  const holding = new Array<number>(weights.length).fill(0)
  for (const { counts } of tallies)
    for (let at = 0; at < counts.length; at += 1) if (counts[at]! > 0) holding[at % weights.length]! += 1
  return weights.map((weight, at) => {
    const some = Math.max(holding[at]!, all * (frequent?.get(at) ?? 0))
    return weight * rarityOf(some, all)
  })
}

/** The score of each text. */
function bm25(
  { counts, lengths }: Tally,
  { rare, mean, k1, b }: { rare: readonly number[]; mean: number; k1: number; b: number },
): number[] {
  return lengths.map((length, text) => {
    const long = k1 * (1 - b + (b * length) / Math.max(mean, 1))
    let score = 0
    for (let at = 0; at < rare.length; at += 1) {
      const count = counts[text * rare.length + at]!
      if (count > 0) score += (rare[at]! * count * (k1 + 1)) / (count + long)
    }
    return score
  })
}

function coverage({ terms }: Query, { counts }: Tally, rare: readonly number[]): number {
  const asked = terms.map((_, at) => rare[at]!)
  const held = asked.map((weight, at) => weight * Math.min(counts[at]!, 1))
  return sum(held) / Math.max(sum(asked), Number.MIN_VALUE)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
