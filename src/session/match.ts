import Fuse from 'fuse.js'
import { typingSlips } from '../text/typing-slips.ts'
import type { Findable } from './names.ts'

export interface Match<T> {
  /**
   * The conversations that the words mean, best first. One is a hit; for several the caller asks; for none it shows
   * `nearest`.
   */
  found: T[]
  /** The closest ones when nothing was found, best first, at most five. */
  nearest: T[]
}

/** The fields that are searched: all that name a conversation, or only its title and id. */
export type Where = 'heading' | 'title'

/**
 * Finds conversations by title › every word in title, id, summary or tags › every word with typing slips (X-17,
 * S0-D4g). The first of these steps that finds anything answers. It guesses: `namedExactly` comes before it.
 */
export function match<T extends Findable>(
  query: string,
  all: readonly T[],
  where: Where = 'heading',
): Match<T> {
  const wanted = fold(query)
  if (wanted === '') return { found: [], nearest: [] }
  const titled = all.filter((one) => fold(one.title) === wanted)
  if (titled.length > 0) return { found: titled, nearest: [] }
  const texts = all.map((one) => ({ one, text: fold(findableText(one, where)) }))
  const found = byWords(wanted.split(' '), texts)
  return found.length > 0 ? { found, nearest: [] } : { found, nearest: nearest(wanted, texts) }
}

function findableText({ title, id, summary, tags }: Findable, where: Where): string {
  return [title, id, ...(where === 'title' ? [] : [summary, ...tags])].join(' ')
}

/** A conversation, and the words that it is found by. */
interface Worded<T> {
  one: T
  text: string
}

/** A number is no part of another one. */
function holds(text: string, word: string): boolean {
  return /^\d+$/.test(word) ? ` ${text} `.includes(` ${word} `) : text.includes(word)
}

/** Finds those that hold every word; if there are none, those that hold every word with the fewest slips. */
function byWords<T>(wanted: string[], texts: readonly Worded<T>[]): T[] {
  const exact = texts.filter(({ text }) => wanted.every((word) => holds(text, word)))
  if (exact.length > 0) return exact.map(({ one }) => one)
  return texts
    .map(({ one, text }) => ({ one, slips: slipsIn(wanted, text) }))
    .filter(({ slips }) => slips < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.slips - b.slips)
    .map(({ one }) => one)
}

function slipsIn(wanted: string[], text: string): number {
  const words = text.split(' ')
  let sum = 0
  for (const typed of wanted) {
    if (holds(text, typed)) continue
    // One digit makes another number.
    if (/^\d+$/.test(typed)) return Number.POSITIVE_INFINITY
    sum += words.reduce(
      (fewest, word) => Math.min(fewest, typingSlips(typed, word)),
      Number.POSITIVE_INFINITY,
    )
    if (sum === Number.POSITIVE_INFINITY) break
  }
  return sum
}

const NEAREST = 5

/** These hold one of the words, or nearly. They are only offered. */
function nearest<T>(wanted: string, texts: readonly Worded<T>[]): T[] {
  const fuse = new Fuse(texts, {
    keys: ['text'],
    ignoreLocation: true,
    useExtendedSearch: true,
    threshold: 0.3,
    minMatchCharLength: 3,
  })
  const words = wanted.split(' ').filter((word) => word.length > 2)
  return words.length === 0
    ? []
    : fuse.search(words.join(' | '), { limit: NEAREST }).map((hit) => texts[hit.refIndex]!.one)
}

/** Makes a text lower case without accents, with one space for every run of white space and punctuation. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\p{P}\p{Z}\s]+/gu, ' ')
    .trim()
}
