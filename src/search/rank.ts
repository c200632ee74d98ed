import type { Tally } from './count.ts'
import { WEIGHT } from './parse-query.ts'
import type { Query } from './query.ts'
import { rarityOf } from './rarity.ts'

/** A conversation, with the counts of the query in it. */
export interface Candidate {
  /** The messages that contain any term of the query. */
  messages: Tally
  /** Number of its messages that were searched. */
  count: number
  /** Number of the messages of the person and the agent. */
  talk: number
  /** Titles and other headings, with the weight of a word in each. */
  headings: readonly { counted: Tally; weight: number }[]
}

export interface Ranked<C extends Candidate> {
  candidate: C
  score: number
  /** The score of each message in `messages`. */
  scores: number[]
  /** The part of the query that the conversation contains, from 0 to 1; rare words count more. */
  covered: number
  /** The part of the query that its best message contains, from 0 to 1. */
  together: number
  /** The words of the query that the conversation has in no form, without those that say little. */
  missing: string[]
  fit: Fit
}

/**
 * How well a conversation fits a query. In tests with questions about real talk, nine of ten conversations marked
 * `sure` were right, and one in thirty of those that were right was marked `weak` (docs/search.md).
 */
export type Fit = 'sure' | 'likely' | 'weak'

/**
 * Ranks the conversations that contain something of a query, best first. It uses BM25: rare words count more, and each
 * repetition of a word counts less. The score of a conversation is its score as one text, plus the scores of its best
 * messages and headings. So words in one message count more than words far apart. The constants were found with
 * questions about other conversations (docs/search.md).
 */
export function rank<C extends Candidate>(query: Query, candidates: readonly C[]): Ranked<C>[] {
  const weights = [...query.terms, ...query.phrases].map(({ weight }) => weight)
  const wholes = candidates.map((candidate) => wholeOf(candidate, weights.length))
  const messages = sum(candidates.map(({ count }) => count))
  const talk = sum(candidates.map((candidate) => candidate.talk))
  const tallies = candidates.map((candidate) => candidate.messages)
  const rare = weightsOf(weights, tallies, messages, query.frequent)
  const rareWhole = weightsOf(weights, wholes, candidates.length, query.frequent)
  const telling = tellingTerms(query, wholes)
  const asMessage = { rare, ...MESSAGE }
  const asWhole = { rare: rareWhole, mean: talk / Math.max(candidates.length, 1), ...WHOLE }
  const ranked = candidates
    .map((candidate, index) => {
      const { fits } = candidate.messages
      const scores = bm25(candidate.messages, asMessage).map(
        (score, index) => score * (1 + DAYS.message * (fits[index] ?? 0)),
      )
      const headings = candidate.headings.map(({ counted, weight }) => weight * bm25(counted, asMessage)[0]!)
      const score =
        (bm25(wholes[index]!, asWhole)[0]! + bestOf([...scores, ...headings])) *
        (1 + DAYS.whole * highest(fits))
      const covered = coverage(query, wholes[index]!.counts, rare)
      const together = coverage(query, bestCounts(query, candidate.messages, scores), rare)
      const fit: Fit = covered + together < MIN_LIKELY ? 'weak' : 'likely'
      const missing = telling
        .filter((term) => wholes[index]!.counts[term] === 0)
        .map((term) => query.terms[term]!.text)
      return { candidate, score, scores, covered, together, missing, fit }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const [first, second] = ranked
  if (first === undefined || !isSure(query, first, second)) return ranked
  return [{ ...first, fit: 'sure' }, ...ranked.slice(1)]
}

/** A conversation is `weak` if the parts of the query that it and its best message contain add up to less than this. */
const MIN_LIKELY = 0.5
/**
 * The first conversation is `sure` if its best message contains at least the part `together` of the query and each
 * name and quotation in it, and the conversation's score is at least `ratio` times that of the second one. Of a query
 * of a few words it must contain all: two of three words may mean something else. Of one that a person types in a line,
 * the conversation must have each word, and of several wordings each word that most of them have: one that is missing, or
 * found only with a typo, may be the one that matters.
 */
const SURE = { together: 0.4, few: 3, togetherOfFew: 0.8, typed: 8, ratio: 1.3 }

function isSure<C extends Candidate>(
  query: Query,
  { candidate, scores, score, together, missing, fit }: Ranked<C>,
  second: Ranked<C> | undefined,
): boolean {
  const own = query.terms.filter(({ related }) => !related)
  // A single word without a digit may occur anywhere, so it is never `sure`.
  if (fit === 'weak' || (own.length === 1 && !/\d/.test(own[0]!.text))) return false
  const lacks = own.some(({ text, inMost, slip }) => inMost && (slip || missing.includes(text)))
  if (lacks && !(query.isOneWording && own.length > SURE.typed)) return false
  if (second !== undefined && score < SURE.ratio * second.score) return false
  const counts = bestCounts(query, candidate.messages, scores)
  const isThere = (index: number) => (counts[index] ?? 0) > 0
  const named = query.phrases.every(
    ({ weight }, index) => weight < WEIGHT.quote || isThere(query.terms.length + index),
  )
  const isFew = own.length <= SURE.few
  return (
    named &&
    together >= (isFew ? SURE.togetherOfFew : SURE.together) &&
    (!isFew || query.terms.every(({ related }, index) => related || isThere(index)))
  )
}

/**
 * The indexes of the words of a query of which the absence says something: typed ones that are no part of a name, name no
 * day, and that are not in very many conversations.
 */
function tellingTerms({ terms, frequent, dayWords }: Query, wholes: readonly Tally[]): number[] {
  const isCommon = (index: number) => {
    const holders = wholes.filter(({ counts }) => counts[index]! > 0).length
    return frequent?.has(index) || (wholes.length >= MANY && holders > COMMON * wholes.length)
  }
  return terms.flatMap(({ text, weight, related }, index) =>
    related || weight < 1 || dayWords?.has(text) || isCommon(index) ? [] : [index],
  )
}

const COMMON = 0.2
/** In fewer conversations, a word in every fifth of them is not common. */
const MANY = 50

/** The counts of the query in the message with the highest score; empty if no message has a word of it. */
function bestCounts({ terms, phrases }: Query, { counts }: Tally, scores: readonly number[]): number[] {
  const width = terms.length + phrases.length
  const begin = scores.indexOf(highest(scores)) * width
  return begin < 0 ? [] : counts.slice(begin, begin + width)
}

/**
 * The constants of BM25:
 * * `k1`: the lower, the sooner repetitions of a word stop counting
 * * `b`: how much a long text is penalised
 * * `mean`: the length of an ordinary message, in characters
 *
 * The length of a conversation is the number of messages of the person and the agent.
 */
const MESSAGE = { k1: 1.2, b: 0.4, mean: 250 }
const WHOLE = { k1: 1.6, b: 0.75 }
/**
 * The best message or heading adds its whole score to its conversation. Each further one adds less by the factor
 * `further`, and at most `max` of them count.
 */
const BEST = { further: 0.55, max: 10 }
/** How much the score of a message and of its conversation grows if the message is from a day that the query names. */
const DAYS = { message: 2, whole: 0.5 }

function bestOf(scores: readonly number[]): number {
  const best: number[] = []
  for (const score of scores) {
    if (best.length === BEST.max && score <= best.at(-1)!) continue
    best.push(score)
    best.sort((a, b) => b - a)
    best.length = Math.min(best.length, BEST.max)
  }
  return sum(best.map((score, index) => score * BEST.further ** index))
}

/** The counts of a conversation as if it were one text. */
function wholeOf({ messages, headings, talk }: Candidate, width: number): Tally {
  const counts = new Array<number>(width).fill(0)
  for (const tally of [messages, ...headings.map(({ counted }) => counted)])
    for (let index = 0; index < tally.counts.length; index += 1)
      counts[index % width]! += tally.counts[index]!
  return { counts, lengths: [talk], fits: [] }
}

/**
 * The weight of each term and phrase. It is higher if fewer texts contain the term or phrase. Not all texts with a term
 * of `frequent` were counted, so `frequent` gives the least fraction of texts that contain it.
 */
function weightsOf(
  weights: readonly number[],
  tallies: readonly Tally[],
  all: number,
  frequent: Query['frequent'],
): number[] {
  const containing = new Array<number>(weights.length).fill(0)
  for (const { counts } of tallies)
    for (let index = 0; index < counts.length; index += 1)
      if (counts[index]! > 0) containing[index % weights.length]! += 1
  return weights.map((weight, index) => {
    const some = Math.max(containing[index]!, all * (frequent?.get(index) ?? 0))
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
    for (let index = 0; index < rare.length; index += 1) {
      const count = counts[text * rare.length + index]!
      if (count > 0) score += (rare[index]! * count * (k1 + 1)) / (count + long)
    }
    return score
  })
}

function coverage({ terms }: Query, counts: readonly number[], rare: readonly number[]): number {
  const asked = terms.map(({ related }, index) => (related ? 0 : rare[index]!))
  const contained = asked.map((weight, index) => weight * Math.min(counts[index] ?? 0, 1))
  return sum(contained) / Math.max(sum(asked), Number.MIN_VALUE)
}

function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
