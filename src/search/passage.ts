import { plain } from '../text/without-accents.ts'
import type { Query } from './query.ts'
import { WordReader } from './reader.ts'

/** A part of a text, around words that match a query. */
export interface Passage {
  /** White space is a single space, and `…` shows where the text continues. */
  text: string
  /** The start and end of each match in `text`, in order. */
  marks: [number, number][]
}

/**
 * Returns the piece of a text, about `length` characters long, that matches a query best; the beginning of the text
 * when nothing matches. At most about `BEFORE` characters of the piece come before its first match.
 */
export function passageOf(original: string, query: Query, length = LENGTH): Passage {
  const text = original.replace(/\s+/g, ' ').trim()
  const hits = hitsIn(text, query)
  const first = bestHit(hits, query, length - BEFORE)
  const start = hits[first]?.start ?? 0
  const from = beginOfWord(text, wholeCharacter(text, Math.max(start - BEFORE, 0)), start)
  const to = endOfWord(text, wholeCharacter(text, Math.min(from + length, text.length)), from)
  const begin = from > 0 ? '…' : ''
  const shift = begin.length - from
  const marks = hits
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end }): [number, number] => [start + shift, end + shift])
  return {
    text: `${begin}${text.slice(from, to)}${to < text.length ? '…' : ''}`,
    marks: mergeOverlaps(marks),
  }
}

/** About as many characters as two lines of a terminal have. */
export const LENGTH = 180
const BEFORE = 60

interface Hit {
  start: number
  end: number
  term: number
  weight: number
}

function hitsIn(text: string, query: Query): Hit[] {
  const { text: found, places } = plainWithPlaces(text)
  const hits: Hit[] = []
  const reader = new WordReader(found, query)
  while (reader.next()) {
    const [start, end] = [reader.start, reader.end].map((index) => places?.[index] ?? index)
    for (const meaning of reader.meanings) hits.push({ start: start!, end: end!, ...meaning })
  }
  return hits
}

/** The plain text, and the original index of each of its characters; no `places` when every index stays the same. */
function plainWithPlaces(text: string): { text: string; places?: number[] } {
  const same = plain(text)
  if (same.length === text.length) return { text: same }
  const places: number[] = []
  let result = ''
  for (let index = 0; index < text.length; index += 1) {
    const plainUnit = plain(text[index]!)
    for (const _ of plainUnit) places.push(index)
    result += plainUnit
  }
  return { text: result, places: [...places, text.length] }
}

/**
 * The index of the hit at which the best piece begins. In a piece, each term counts once, and each further hit of the
 * term counts a little.
 */
function bestHit(hits: readonly Hit[], { terms }: Query, length: number): number {
  let best = 0
  let highest = 0
  for (let first = 0; first < hits.length; first += 1) {
    const seen = new Map<number, number>()
    let value = 0
    for (
      let index = first;
      index < hits.length && hits[index]!.end - hits[first]!.start <= length;
      index += 1
    ) {
      const { term, weight } = hits[index]!
      const more = weight * terms[term]!.weight - (seen.get(term) ?? 0)
      value += more > 0 ? more : 0.01
      seen.set(term, Math.max(seen.get(term) ?? 0, weight * terms[term]!.weight))
    }
    if (value > highest) [best, highest] = [first, value]
  }
  return best
}

/** The begin of the next word, if one begins before `limit`. */
function beginOfWord(text: string, index: number, limit: number): number {
  if (index === 0 || text[index - 1] === ' ') return index
  const next = text.indexOf(' ', index) + 1
  return next > 0 && next <= limit ? next : index
}

/** The end of the word before, if it is not far away: a long word, or one of a script without spaces, is cut. */
function endOfWord(text: string, index: number, from: number): number {
  if (index === text.length || text[index] === ' ') return index
  const last = text.lastIndexOf(' ', index)
  return last > from && index - last <= LONGEST_CUT ? last : index
}

const LONGEST_CUT = 24

function wholeCharacter(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index
}

/** Merges marks that touch or overlap. The marks of pairs of Chinese characters overlap. */
function mergeOverlaps(marks: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of marks) {
    const last = result.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
