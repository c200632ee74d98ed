import { plain } from '../text/plain.ts'
import type { Query } from './query.ts'
import { WordReader } from './reader.ts'

/** A piece of a text around what was found in it. */
export interface Passage {
  /** On one line as far as white space goes, with `…` where the text goes on. */
  text: string
  /** The start and end of each match in `text`, in order. */
  marks: [number, number][]
}

/**
 * The piece of a text of about `length` characters that holds most of a query; its beginning where it holds nothing of
 * it. Its first word is `before` characters from its start.
 */
export function passageOf(whole: string, query: Query, { length = 180, before = 60 } = {}): Passage {
  const text = whole.replace(/\s+/g, ' ').trim()
  const hits = hitsIn(text, query)
  const first = bestOf(hits, query, length - before)
  const from = wholeCharacter(text, Math.max((hits[first]?.start ?? 0) - before, 0))
  const to = wholeCharacter(text, Math.min(from + length, text.length))
  const begin = from > 0 ? '…' : ''
  const shift = begin.length - from
  const marks = hits
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end }): [number, number] => [start + shift, end + shift])
  return { text: `${begin}${text.slice(from, to)}${to < text.length ? '…' : ''}`, marks: apart(marks) }
}

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
    const [start, end] = [reader.start, reader.end].map((at) => places?.[at] ?? at)
    for (const meaning of reader.meanings) hits.push({ start: start!, end: end!, ...meaning })
  }
  return hits
}

/** The plain text, and where each of its characters came from; no places where all stay where they were. */
function plainWithPlaces(text: string): { text: string; places?: number[] } {
  const same = plain(text)
  if (same.length === text.length) return { text: same }
  const places: number[] = []
  let result = ''
  for (let at = 0; at < text.length; at += 1) {
    const one = plain(text[at]!)
    for (const _ of one) places.push(at)
    result += one
  }
  return { text: result, places: [...places, text.length] }
}

/**
 * The hit at which the piece begins that holds most: of different words each once, and a little for every further one.
 */
function bestOf(hits: readonly Hit[], { terms }: Query, length: number): number {
  let best = 0
  let most = 0
  for (let first = 0; first < hits.length; first += 1) {
    const seen = new Map<number, number>()
    let value = 0
    for (let at = first; at < hits.length && hits[at]!.end - hits[first]!.start <= length; at += 1) {
      const { term, weight } = hits[at]!
      const more = weight * terms[term]!.weight - (seen.get(term) ?? 0)
      value += more > 0 ? more : 0.01
      seen.set(term, Math.max(seen.get(term) ?? 0, weight * terms[term]!.weight))
    }
    if (value > most) [best, most] = [first, value]
  }
  return best
}

function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}

/** Marks that touch or overlap become one: pairs of Chinese characters do. */
function apart(marks: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of marks) {
    const last = result.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
