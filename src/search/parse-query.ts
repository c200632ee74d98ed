import { stemmer } from 'stemmer'
import { plain } from '../text/without-accents.ts'
import type { DayFit } from './asked-days.ts'
import { isCommon } from './common-words.ts'
import { meaningsOf } from './meaning.ts'
import { exactly, patternOf } from './pattern.ts'
import type { Phrase, Query, Term } from './query.ts'
import { relatedWords } from './related-words.ts'
import { isUnspaced, PAIR, partsOf, readWords } from './words.ts'

/**
 * Weights; a typed word has 1.
 * * `part`: a part of `planResume` or `ENT-163`
 * * `related`: a word related to a typed one
 * * `pair`: two neighbouring words
 * * `row`: all words in a row
 * * `quotedWord`: a quotation of one word
 * * `quote`: a quotation of several words, or a whole identifier
 */
export const WEIGHT = { part: 0.4, related: 0.2, pair: 0.5, row: 1, quotedWord: 2, quote: 4 }
/**
 * The maximum number of characters between two words of a phrase: a space, and one or two signs such as `**`, `",` or
 * an escaped line break.
 */
const MAX_GAP = 4
const QUOTES = /["“”„«»「」『』]([^"“”„«»「」『』]+)["“”„«»「」『』]/g

export interface QueryOptions {
  /** The texts of the terms for which words with one typo count too. */
  typos?: ReadonlySet<string>
  /** How well a time fits the days that the query names. */
  days?: DayFit | undefined
  /** The words that name these days, as the texts of terms. */
  dayWords?: ReadonlySet<string> | undefined
  /** Groups of related words, in addition to those of related-words.ts. */
  related?: readonly string[]
}

/** Parses words, "quoted words" or a question; undefined when the text is empty. */
export function parseQuery(
  text: string,
  { typos = new Set(), days, dayWords, related }: QueryOptions = {},
): Query | undefined {
  const typed = plain(text.slice(0, MAX_CHARACTERS))
  const terms = new Terms(typos, wordsInMost(typed))
  const quoted = [...typed.matchAll(QUOTES)].map(([, inside]) => wordsOf(inside!))
  const free = wordsOf(typed.replace(QUOTES, ' '))
  const uncommon = free.filter(({ word, identifier }) => identifier !== undefined || !isCommon(word))
  // Common words count only when nothing else was typed.
  const chosen = uncommon.length > 0 || quoted.some((words) => words.length > 0) ? uncommon : free
  const whole = chosen.filter(({ identifier }) => identifier === undefined)
  const indexes = chosen.map(({ word, identifier }) =>
    terms.add(word, identifier === undefined ? 1 : WEIGHT.part),
  )
  for (const { parts } of chosen) for (const part of parts) terms.add(part, WEIGHT.part)
  const phrases = [...identifiersIn(chosen, indexes), ...phrasesOf(chosen, indexes)]
  for (const words of quoted) {
    const row = words.map(({ word }) => terms.add(word, words.length > 1 ? 1 : WEIGHT.quotedWord))
    if (row.length > 1) phrases.push({ terms: row, gaps: row.map(() => MAX_GAP), weight: WEIGHT.quote })
  }
  // Related words are no terms inside JSON, so they are added after these.
  const own = [...terms.all]
  if (own.length === 0) return literalQuery(typed.trim())
  const relatedTo = relatedWords(related)
  for (const { word } of whole) for (const other of relatedTo(word)) terms.addRelated(other)
  const { all } = terms
  return {
    terms: all,
    phrases: phrases.slice(0, MAX_TERMS),
    pattern: patternOf(all),
    inJson: patternOf(own),
    meaningOf: meaningsOf(all),
    isOneWording: !typed.trim().includes('\n'),
    ...(days && { days }),
    ...(dayWords && { dayWords }),
  }
}

function literalQuery(text: string): Query | undefined {
  if (text === '') return undefined
  const terms = [{ text, stem: text, unspaced: true, slip: false, weight: 1, inMost: true, related: false }]
  const found = [{ term: 0, weight: 1 }]
  const [pattern, inJson] = [text, JSON.stringify(text).slice(1, -1)].map(exactly)
  return {
    terms,
    phrases: [],
    pattern: pattern!,
    inJson: inJson!,
    meaningOf: () => found,
    isOneWording: true,
    literal: text,
  }
}

/** Only the beginning of a longer query is read. Such a query is usually a paste, and its beginning says enough. */
export const MAX_CHARACTERS = 2000
const MAX_TERMS = 64

interface QueryWord {
  word: string
  parts: string[]
  /** The offset of the word in the query. */
  offset: number
  /** The offset of the identifier that contains the word. */
  identifier?: number
}

/** The words of a text, in lower case. In scripts without spaces, each pair of neighbouring characters is a word. */
function wordsOf(text: string): QueryWord[] {
  const words: QueryWord[] = []
  const read = text.replace(/['’]s\b/g, '')
  const identifiers = [...read.matchAll(JOINED)]
    .filter(([text]) => IDENTIFIER.test(text))
    .map(({ index, 0: { length } }) => [index, index + length] as const)
  readWords(read, {
    word(kind, _, start, end) {
      const word = read.slice(start, end)
      const parts = kind === PAIR ? [] : partsOf(word).map((part) => part.toLowerCase())
      const identifier = identifiers.find(([from, to]) => start >= from && end <= to)?.[0]
      words.push({
        word: word.toLowerCase(),
        parts: parts.length > 1 ? parts : [],
        offset: start,
        ...(identifier !== undefined && { identifier }),
      })
    },
  })
  return words
}

/** Tells which words, in any form, stand in more than half of the lines of a query, which are wordings of one question. */
function wordsInMost(text: string): (word: string) => boolean {
  const wordings = text
    .split('\n')
    .map((one) => new Set(wordsOf(one).map(({ word }) => stemmer(word))))
    .filter(({ size }) => size > 0)
  return (word) => {
    const stem = stemmer(word)
    return wordings.filter((stems) => stems.has(stem)).length > wordings.length / 2
  }
}

/** Words that are joined by signs, or a number after `#`. */
const JOINED = /-{0,2}\w+(?:[-_./:\\@#]+\w+)+|#\d+/g
/**
 * Matches joined words that are an identifier, such as `ENT-163`, `src/search/rank.ts`, `v1.2.3`, `a_b` and
 * `--no-commit`. `end-to-end` and `client/server` are only words.
 */
const IDENTIFIER = /[\d_]|\w\.\w|\/.*\/|::|^--/

/**
 * Makes a phrase of all words of each identifier. The phrase of `#123` is only the number, and `NUMBERED` must match
 * the text before it.
 */
function identifiersIn(words: readonly QueryWord[], indexes: readonly number[]): Phrase[] {
  const groups = new Map<number, number[]>()
  for (const [index, { identifier }] of words.entries())
    if (identifier !== undefined) groups.set(identifier, [...(groups.get(identifier) ?? []), indexes[index]!])
  return [...groups.values()].map((terms) => ({
    terms,
    gaps: terms.map(() => MAX_IDENTIFIER_GAP),
    weight: WEIGHT.quote,
    ...(terms.length === 1 && { after: NUMBERED }),
  }))
}

/** The maximum number of characters between two words of an identifier: `::`, or `/.` in a path. */
const MAX_IDENTIFIER_GAP = 2

/** What precedes the number of an issue or a pull request. */
const NUMBERED = /(?:#|\b(?:PR|MR|issues?|pulls?|tickets?)[ /#]{0,2})$/i

/** The phrases of a query: every two neighbouring words, and all words. Omitted common words may occur between them. */
function phrasesOf(words: readonly QueryWord[], indexes: readonly number[]): Phrase[] {
  const gap = (index: number): number => {
    const [before, here] = [words[index - 1]!, words[index]!]
    return Math.max(here.offset - before.offset - before.word.length, 0) + MAX_GAP - 1
  }
  const pairs = indexes.slice(1).map((term, index) => ({
    terms: [indexes[index]!, term],
    gaps: [0, gap(index + 1)],
    weight: WEIGHT.pair,
  }))
  if (indexes.length < 3) return pairs
  return [
    ...pairs,
    { terms: indexes, gaps: indexes.map((_, index) => (index === 0 ? 0 : gap(index))), weight: WEIGHT.row },
  ]
}

class Terms {
  readonly all: Term[] = []
  readonly #indexes = new Map<string, number>()
  readonly #typos: ReadonlySet<string>
  readonly #isInMost: (word: string) => boolean

  constructor(typos: ReadonlySet<string>, isInMost: (word: string) => boolean) {
    this.#typos = typos
    this.#isInMost = isInMost
  }

  /**
   * Adds a word and returns its index among the terms. A repeated word keeps the highest of its weights. When there are
   * MAX_TERMS terms, a new word gets the index of the last one.
   */
  add(word: string, weight: number): number {
    const index = this.#indexes.get(word)
    if (index !== undefined) {
      this.all[index]!.weight = Math.max(this.all[index]!.weight, weight)
      return index
    }
    if (this.all.length === MAX_TERMS) return MAX_TERMS - 1
    const unspaced = isUnspaced(word)
    const slip = this.#typos.has(word)
    this.all.push({
      text: word,
      stem: unspaced ? word : stemmer(word),
      unspaced,
      slip,
      weight,
      inMost: this.#isInMost(word),
      related: false,
    })
    this.#indexes.set(word, this.all.length - 1)
    return this.all.length - 1
  }

  /** Adds a related word, unless there are MAX_TERMS terms or one of the terms has its stem. */
  addRelated(word: string): void {
    const stem = stemmer(word)
    if (this.all.length === MAX_TERMS || this.all.some((term) => term.stem === stem)) return
    this.all.push({
      text: word,
      stem,
      unspaced: false,
      slip: false,
      weight: WEIGHT.related,
      inMost: false,
      related: true,
    })
  }
}
