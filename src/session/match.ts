import Fuse from 'fuse.js'
import { byTypos, countTypos } from '../text/count-typos.ts'
import type { Findable } from './names.ts'

export interface Match<T> {
  /**
   * The conversations that the words mean, best first. If there are several, the caller asks the person. If there are
   * none, the caller shows `nearest`.
   */
  found: T[]
  /** The closest conversations when nothing was found, best first, at most five. */
  nearest: T[]
}

/** The fields that are searched: title, id, summary and tags (`heading`), or only title and id (`title`). */
export type Where = 'heading' | 'title'

/**
 * Finds conversations by words. This is guessing, so callers try `namedExactly` first. The first of
 * these steps that finds anything decides:
 * * The words are the title.
 * * Title, id, summary and tags contain every word.
 * * They contain every word with typos.
 */
export function match<T extends Findable>(
  query: string,
  all: readonly T[],
  where: Where = 'heading',
): Match<T> {
  const wanted = fold(query)
  if (wanted === '') return { found: [], nearest: [] }
  const titled = all.filter((conversation) => fold(conversation.title) === wanted)
  if (titled.length > 0) return { found: titled, nearest: [] }
  const texts = all.map((conversation) => ({ conversation, text: fold(findableText(conversation, where)) }))
  const found = byWords(wanted.split(' '), texts)
  return found.length > 0 ? { found, nearest: [] } : { found, nearest: nearest(wanted, texts) }
}

function findableText({ title, id, summary, tags }: Findable, where: Where): string {
  return [title, id, ...(where === 'title' ? [] : [summary, ...tags])].join(' ')
}

/** A conversation, and the text in which words are searched. */
interface Searchable<T> {
  conversation: T
  text: string
}

/** Whether a text contains a word. A number is not found in a longer number. */
function containsWord(text: string, word: string): boolean {
  return /^\d+$/.test(word) ? ` ${text} `.includes(` ${word} `) : text.includes(word)
}

/**
 * Finds the conversations that contain every word; if there are none, those that contain every word with typos, the
 * fewest typos first.
 */
function byWords<T>(wanted: string[], texts: readonly Searchable<T>[]): T[] {
  const exact = texts.filter(({ text }) => wanted.every((word) => containsWord(text, word)))
  if (exact.length > 0) return exact.map(({ conversation }) => conversation)
  return byTypos(texts, ({ text }) => typosIn(wanted, text)).map(({ conversation }) => conversation)
}

function typosIn(wanted: string[], text: string): number {
  const words = text.split(' ')
  let sum = 0
  for (const typed of wanted) {
    if (containsWord(text, typed)) continue
    // A number with another digit is another number and no typo.
    if (/^\d+$/.test(typed)) return Number.POSITIVE_INFINITY
    sum += words.reduce((fewest, word) => Math.min(fewest, countTypos(typed, word)), Number.POSITIVE_INFINITY)
    if (sum === Number.POSITIVE_INFINITY) break
  }
  return sum
}

const MAX_NEAREST = 5

/**
 * Finds conversations that contain one of the words, exactly or nearly. They are only offered to the person, so Fuse.js
 * may guess more freely than `countTypos` allows.
 */
function nearest<T>(wanted: string, texts: readonly Searchable<T>[]): T[] {
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
    : fuse.search(words.join(' | '), { limit: MAX_NEAREST }).map((hit) => texts[hit.refIndex]!.conversation)
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
