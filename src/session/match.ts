import Fuse from 'fuse.js'
import { typingSlips } from '../text/typing-slips.ts'
import { type Findable, numbersFor } from './names.ts'

export interface Match<T> {
  /**
   * The conversations that the query means, best first. One is a hit; for several the caller asks; for none it shows
   * `nearest`.
   */
  found: T[]
  /** The closest ones when nothing was found, best first, at most five. */
  nearest: T[]
}

/**
 * Finds conversations by exact id › date/id › number › day/number › title › every word in title, id, summary or tags › every word
 * with typing slips (X-17, S0-D4g). The first of these steps that finds anything answers. The caller searches in what
 * was said after this.
 */
export function match<T extends Findable>(query: string, all: readonly T[]): Match<T> {
  const wanted = fold(query)
  if (wanted === '') return { found: [], nearest: [] }
  const id = query.trim().replace(/(?<!\/)\/+$/, '')
  const rungs: ((one: T) => boolean)[] = [
    (one) => one.id === id || one.datedId === id || id.endsWith(`/${one.datedId}`),
    (one) => /^\d+$/.test(wanted) && Number(one.id.split('-')[0]) === Number(wanted),
    (one) => NUMBERED.test(id) && numbersFor(one).includes(id.replace(LEADING_ZEROS, '')),
    (one) => fold(one.title) === wanted,
  ]
  for (const rung of rungs) {
    const found = all.filter(rung)
    if (found.length > 0) return { found, nearest: [] }
  }
  const found = byWords(wanted.split(' '), all)
  return found.length > 0 ? { found, nearest: [] } : { found, nearest: nearest(wanted, all) }
}

/** `11-21/3`, `2026-11-21/003` */
const NUMBERED = /^(?:\d{4}-)?\d{2}-\d{2}\/\d+$/
const LEADING_ZEROS = /(?<=\/)0+(?=\d)/

/** Finds those that hold every word; if there are none, those that hold every word with the fewest slips. */
function byWords<T extends Findable>(wanted: string[], all: readonly T[]): T[] {
  const texts = all.map((one) => ({
    one,
    text: fold(`${one.title} ${one.id} ${one.summary} ${one.tags.join(' ')}`),
  }))
  const exact = texts.filter(({ text }) => wanted.every((word) => text.includes(word)))
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
    if (text.includes(typed)) continue
    sum += words.reduce(
      (fewest, word) => Math.min(fewest, typingSlips(typed, word)),
      Number.POSITIVE_INFINITY,
    )
    if (sum === Number.POSITIVE_INFINITY) break
  }
  return sum
}

const NEAREST = 5

/** This search is loose on purpose, because its results are only offered. */
function nearest<T extends Findable>(wanted: string, all: readonly T[]): T[] {
  const fuse = new Fuse(
    all.map((one) => ({
      title: fold(one.title),
      id: fold(one.id),
      rest: fold(`${one.summary} ${one.tags.join(' ')}`),
    })),
    {
      keys: [
        { name: 'title', weight: 3 },
        { name: 'id', weight: 2 },
        { name: 'rest', weight: 1 },
      ],
      ignoreLocation: true,
      threshold: 0.6,
      minMatchCharLength: 2,
    },
  )
  return fuse.search(wanted, { limit: NEAREST }).map((hit) => all[hit.refIndex]!)
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
