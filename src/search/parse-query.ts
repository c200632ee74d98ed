import { stemmer } from 'stemmer'
import { plain } from '../text/plain.ts'
import { isCommon } from './common-words.ts'
import { meaningsOf } from './meaning.ts'
import { exactly, patternOf } from './pattern.ts'
import type { Phrase, Query, Term } from './query.ts'
import { isUnspaced, PAIR, partsOf, readWords } from './words.ts'

/** Weights relative to a typed word: a part of `planResume`, two words or all of them in a row, a quote. */
const WEIGHT = { part: 0.4, pair: 0.5, row: 1, quotedWord: 2, quote: 4 }
/** A space, and a sign or two that belong to writing: `**`, `",`, the two characters of an escaped line break. */
const APART = 4
const QUOTES = /["“”„«»「」『』]([^"“”„«»「」『』]+)["“”„«»「」『』]/g

/**
 * Reads words, "quoted words" or a question; undefined when it is empty. `slips` are terms (by their text)
 * of which words count too that differ by a typing slip.
 */
export function parseQuery(text: string, slips: ReadonlySet<string> = new Set()): Query | undefined {
  const typed = plain(text.slice(0, MAX_CHARACTERS))
  const terms = new Terms(slips)
  const quoted = [...typed.matchAll(QUOTES)].map(([, inside]) => spoken(inside!))
  const free = spoken(typed.replace(QUOTES, ' '))
  const uncommon = free.filter(({ word }) => !isCommon(word))
  const chosen = uncommon.length > 0 || quoted.some((words) => words.length > 0) ? uncommon : free
  const places = chosen.map(({ word }) => terms.add(word, 1))
  for (const { parts } of chosen) for (const part of parts) terms.add(part, WEIGHT.part)
  const phrases = rowsOf(chosen, places)
  for (const words of quoted) {
    const row = words.map(({ word }) => terms.add(word, words.length > 1 ? 1 : WEIGHT.quotedWord))
    if (row.length > 1) phrases.push({ terms: row, gaps: row.map(() => APART), weight: WEIGHT.quote })
  }
  const { all } = terms
  if (all.length === 0) return literally(typed.trim())
  const pattern = patternOf(all)
  return {
    ...{ terms: all, phrases: phrases.slice(0, MAX_TERMS), pattern, inJson: pattern },
    ...{ meaningOf: meaningsOf(all) },
  }
}

function literally(text: string): Query | undefined {
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

/** Nobody types more; it may be a pasted text, whose beginning says enough. */
const MAX_CHARACTERS = 2000
const MAX_TERMS = 64

interface Spoken {
  word: string
  parts: string[]
  /** Its offset in the query. */
  at: number
}

/** The words of a text, in lower case; scripts without spaces as pairs of neighbouring characters. */
function spoken(text: string): Spoken[] {
  const words: Spoken[] = []
  const read = text.replace(/['’]s\b/g, '')
  readWords(read, {
    word(kind, _, at, end) {
      const word = read.slice(at, end)
      const parts = kind === PAIR ? [] : partsOf(word).map((part) => part.toLowerCase())
      words.push({ word: word.toLowerCase(), parts: parts.length > 1 ? parts : [], at })
    },
  })
  return words
}

/** Every two neighbours of the query, and all of its words. Omitted common words may occur between them. */
function rowsOf(words: readonly Spoken[], places: readonly number[]): Phrase[] {
  const gap = (place: number): number => {
    const [before, here] = [words[place - 1]!, words[place]!]
    return Math.max(here.at - before.at - before.word.length, 0) + APART - 1
  }
  const pairs = places.slice(1).map((term, at) => ({
    terms: [places[at]!, term],
    gaps: [0, gap(at + 1)],
    weight: WEIGHT.pair,
  }))
  if (places.length < 3) return pairs
  return [
    ...pairs,
    { terms: places, gaps: places.map((_, at) => (at === 0 ? 0 : gap(at))), weight: WEIGHT.row },
  ]
}

class Terms {
  readonly all: Term[] = []
  readonly #places = new Map<string, number>()
  readonly #slips: ReadonlySet<string>

  constructor(slips: ReadonlySet<string>) {
    this.#slips = slips
  }

  /** The place of a word among the terms. A word that comes again counts as much as where it counts most. */
  add(word: string, weight: number): number {
    const known = this.#places.get(word)
    if (known !== undefined) {
      this.all[known]!.weight = Math.max(this.all[known]!.weight, weight)
      return known
    }
    if (this.all.length === MAX_TERMS) return MAX_TERMS - 1
    const unspaced = isUnspaced(word)
    const slip = this.#slips.has(word)
    this.all.push({ text: word, stem: unspaced ? word : stemmer(word), unspaced, slip, weight })
    this.#places.set(word, this.all.length - 1)
    return this.all.length - 1
  }
}
