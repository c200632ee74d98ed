import { stemmer } from 'stemmer'
import { typingSlips } from '../text/typing-slips.ts'
import type { Meaning, Term } from './query.ts'
import { partsOf } from './words.ts'

/**
 * How much another form of a word counts: the same stem, a word that begins with it, a typing slip, a part of a name.
 */
const FORM = { stem: 0.9, prefix: 0.4, slip: 0.5, part: 0.8 }
/** Shorter words begin too many others. */
const MIN_PREFIX = 4

/**
 * Says of a word which terms it may mean. A long text has few different words that are asked about, so that each is
 * looked at once.
 */
export function meaningsOf(terms: readonly Term[]): (word: string) => readonly Meaning[] {
  const known = new Map<string, readonly Meaning[]>()
  return (word) => {
    if (word.length > LONGEST) return []
    const before = known.get(word)
    if (before !== undefined) return before
    const found = find(terms, word)
    // A sliced text would hold on to the long one that it was cut from.
    if (known.size < MAX_KNOWN) known.set(Buffer.from(word).toString(), found)
    return found
  }
}

const MAX_KNOWN = 20_000
/** Nobody asks for such words, and a file of one long line can be full of them. */
const LONGEST = 128

function find(terms: readonly Term[], word: string): Meaning[] {
  const best = new Map<number, number>()
  const look = (part: string, counts: number) => {
    const lower = part.toLowerCase()
    terms.forEach((term, place) => {
      const weight = counts * likeness(term, lower)
      if (weight > (best.get(place) ?? 0)) best.set(place, weight)
    })
  }
  look(word, 1)
  const parts = partsOf(word)
  if (parts.length > 1) for (const part of parts) look(part, FORM.part)
  return [...best].map(([term, weight]) => ({ term, weight }))
}

function likeness(term: Term, word: string): number {
  if (word === term.text) return 1
  if (term.unspaced) return 0
  if (stemmer(word) === term.stem) return FORM.stem
  if (term.text.length >= MIN_PREFIX && word.startsWith(term.text)) return FORM.prefix
  return term.slip && typingSlips(term.text, word) <= 1 ? FORM.slip : 0
}
