import { stemmer } from 'stemmer'
import { countTypos } from '../text/count-typos.ts'
import type { Meaning, Term } from './query.ts'
import { partsOf } from './words.ts'

/**
 * How much a word counts that is not exactly a term:
 * * `stem`: it has the stem of the term
 * * `prefix`: it begins with the term
 * * `typo`: it is the term with one typo
 * * `part`: it is an identifier with the term as a part
 */
const FORM = { stem: 0.9, prefix: 0.4, typo: 0.5, part: 0.8 }
/** The minimum length of a term for `prefix`: too many words begin with a shorter term. */
const MIN_PREFIX = 4

/**
 * Returns a function that gives the terms that a word may mean. It caches the terms of each word, because a long text
 * repeats the few words that may mean a term.
 */
export function meaningsOf(terms: readonly Term[]): (word: string) => readonly Meaning[] {
  const cache = new Map<string, readonly Meaning[]>()
  return (word) => {
    if (word.length > MAX_WORD_LENGTH) return []
    const cached = cache.get(word)
    if (cached !== undefined) return cached
    const found = findMeanings(terms, word)
    // The key is a copy of the word, because a slice would keep the whole text in memory.
    if (cache.size < MAX_CACHED) cache.set(Buffer.from(word).toString(), found)
    return found
  }
}

const MAX_CACHED = 20_000
/** Longer words are not found. A file of one long line can be full of them. */
const MAX_WORD_LENGTH = 128

function findMeanings(terms: readonly Term[], word: string): Meaning[] {
  const best = new Map<number, number>()
  const weigh = (part: string, counts: number) => {
    const lower = part.toLowerCase()
    terms.forEach((term, index) => {
      const weight = counts * likeness(term, lower)
      if (weight > (best.get(index) ?? 0)) best.set(index, weight)
    })
  }
  weigh(word, 1)
  const parts = partsOf(word)
  if (parts.length > 1) for (const part of parts) weigh(part, FORM.part)
  return [...best].map(([term, weight]) => ({ term, weight }))
}

function likeness(term: Term, word: string): number {
  if (word === term.text) return 1
  if (term.unspaced) return 0
  if (stemmer(word) === term.stem) return FORM.stem
  if (term.text.length >= MIN_PREFIX && word.startsWith(term.text)) return FORM.prefix
  return term.slip && countTypos(term.text, word) <= 1 ? FORM.typo : 0
}
