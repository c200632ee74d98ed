import { stemmer } from 'stemmer'
import { plain } from '../text/plain.ts'
import { isCommon } from './common-words.ts'
import { meaningsOf } from './meaning.ts'
import { exactly, patternOf } from './pattern.ts'
import type { Phrase, Query, Term } from './query.ts'
import { isUnspaced, PAIR, partsOf, readWords } from './words.ts'

/**
 * Weights; a typed word has 1. `part`: of `planResume`; `pair`: two neighbouring words; `row`: all words in a row;
 * `quotedWord`: one quoted word; `quote`: several.
 */
const WEIGHT = { part: 0.4, pair: 0.5, row: 1, quotedWord: 2, quote: 4 }
/**
 * The maximum number of characters between two words of a phrase: a space, and one or two signs such as `**`, `",` or
 * an escaped line break.
 */
const MAX_GAP = 4
const QUOTES = /["“”„«»「」『』]([^"“”„«»「」『』]+)["“”„«»「」『』]/g

/**
 * Parses words, "quoted words" or a question; undefined when the text is empty. `typos` are terms (by their text) for
 * which words with one typo match too.
 */
export function parseQuery(text: string, typos: ReadonlySet<string> = new Set()): Query | undefined {
  const typed = plain(text.slice(0, MAX_CHARACTERS))
  const terms = new Terms(typos)
  const quoted = [...typed.matchAll(QUOTES)].map(([, inside]) => wordsOf(inside!))
  const free = wordsOf(typed.replace(QUOTES, ' '))
  const uncommon = free.filter(({ word }) => !isCommon(word))
  const chosen = uncommon.length > 0 || quoted.some((words) => words.length > 0) ? uncommon : free
  const indexes = chosen.map(({ word }) => terms.add(word, 1))
  for (const { parts } of chosen) for (const part of parts) terms.add(part, WEIGHT.part)
  const phrases = phrasesOf(chosen, indexes)
  for (const words of quoted) {
    const row = words.map(({ word }) => terms.add(word, words.length > 1 ? 1 : WEIGHT.quotedWord))
    if (row.length > 1) phrases.push({ terms: row, gaps: row.map(() => MAX_GAP), weight: WEIGHT.quote })
  }
  const { all } = terms
  if (all.length === 0) return literalQuery(typed.trim())
  const pattern = patternOf(all)
  return {
    ...{ terms: all, phrases: phrases.slice(0, MAX_TERMS), pattern, inJson: pattern },
    ...{ meaningOf: meaningsOf(all) },
  }
}

function literalQuery(text: string): Query | undefined {
  if (text === '') return undefined
  const terms = [{ text, stem: text, unspaced: true, slip: false, weight: 1 }]
  const found = [{ term: 0, weight: 1 }]
  const [pattern, inJson] = [text, JSON.stringify(text).slice(1, -1)].map(exactly)
  return {
    terms,
    phrases: [],
    pattern: pattern!,
    inJson: inJson!,
    meaningOf: () => found,
    literal: text,
  }
}

/** A longer text was pasted, and its beginning says enough. */
const MAX_CHARACTERS = 2000
const MAX_TERMS = 64

interface QueryWord {
  word: string
  parts: string[]
  /** Its offset in the query. */
  offset: number
}

/** The words of a text, in lower case; scripts without spaces as pairs of neighbouring characters. */
function wordsOf(text: string): QueryWord[] {
  const words: QueryWord[] = []
  const read = text.replace(/['’]s\b/g, '')
  readWords(read, {
    word(kind, _, start, end) {
      const word = read.slice(start, end)
      const parts = kind === PAIR ? [] : partsOf(word).map((part) => part.toLowerCase())
      words.push({ word: word.toLowerCase(), parts: parts.length > 1 ? parts : [], offset: start })
    },
  })
  return words
}

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

  constructor(typos: ReadonlySet<string>) {
    this.#typos = typos
  }

  /**
   * Adds a word and returns its index among the terms. A repeated word keeps the highest of its weights. After
   * MAX_TERMS terms, a new word counts as the last of them.
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
    this.all.push({ text: word, stem: unspaced ? word : stemmer(word), unspaced, slip, weight })
    this.#indexes.set(word, this.all.length - 1)
    return this.all.length - 1
  }
}
