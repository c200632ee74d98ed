import stringWidth from 'fast-string-width'

/**
 * Functions that measure text in the cells that it takes on a terminal: two for a Chinese character or an emoji, none
 * for an accent by itself. The texts are one line each, without control characters.
 */

export function cellsOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text)
}

/** The text, cut so that it takes at most `cells`. A cut text ends in `…`. */
export function fitCells(text: string, cells: number): string {
  if (cells <= 0) return ''
  if (cellsOf(text) <= cells) return text
  let [end, used] = [0, 1]
  // Only the beginning of a long text is read, because a character seldom has more than a few UTF-16 units.
  characters ??= new Intl.Segmenter()
  for (const { segment, index } of characters.segment(text.slice(0, 16 * cells))) {
    used += cellsOf(segment)
    if (used > cells) break
    end = index + segment.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

/**
 * Splits a text into what a person sees as characters. It is made at the first use, because making it takes
 * milliseconds.
 */
let characters: Intl.Segmenter | undefined

/** The text, padded with spaces to `cells`. */
export function padCells(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - cellsOf(text)))
}

const ASCII = /^[ -~]*$/
