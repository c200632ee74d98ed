import type { Term } from './query.ts'
import { LETTERS } from './words.ts'

/**
 * One regular expression that finds every word that may mean one of the terms. It matches the beginning that the forms
 * of a word share, and the rest of the word. V8 searches a text with it several times faster than word by word.
 */
export function patternOf(terms: readonly Term[]): RegExp {
  const unspaced = terms.filter((term) => term.unspaced).map(({ text }) => text)
  const begins = withoutLonger(terms.filter((term) => !term.unspaced).flatMap(beginsOf))
  const words = begins.length > 0 ? [`(?:${begins.join('|')})[${LETTERS}]*`] : []
  return new RegExp([...unspaced, ...words].join('|'), 'gi')
}

/** A regular expression for a text as it is. */
export function exactly(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi')
}

/**
 * Returns the beginning that the forms of a word share: `activ` for `activities` and `activity`. An i or e at the end
 * of the beginning is cut off, because the stemmer turns a y into an i, and adds an e that other forms do not have.
 */
function beginsOf({ text, stem, slip }: Term): string[] {
  let length = 0
  while (length < stem.length && stem[length] === text[length]) length += 1
  const begin = text.slice(0, length).replace(/(?<=...)[ei]$/, '')
  return [begin, ...(slip ? partsLeftByTypo(text) : [])]
}

/**
 * Returns the beginning and the end of a word, because one typo leaves one of them intact. Only a swap of the middle
 * letters of a word of four letters changes both, so the swapped word is added.
 */
function partsLeftByTypo(text: string): string[] {
  if (text.length < 4) return []
  const length = Math.max(Math.floor((text.length - 1) / 2), 2)
  const swapped = text.length === 4 ? [text[0]! + text[2]! + text[1]! + text[3]!] : []
  return [text.slice(0, length), text.slice(-length), ...swapped]
}

function withoutLonger(begins: readonly string[]): string[] {
  const shortFirst = [...new Set(begins)].sort((a, b) => a.length - b.length)
  return shortFirst.filter(
    (begin, index) => !shortFirst.slice(0, index).some((short) => begin.startsWith(short)),
  )
}
