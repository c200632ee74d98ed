import truncatedWidth from 'fast-string-truncated-width'

/**
 * Text by the cells that it takes on a terminal: a Chinese character takes two, as an emoji does, an accent that stands
 * by itself none. All texts here are one line and `printable`.
 */

export function cellsOf(text: string): number {
  return ASCII.test(text) ? text.length : truncatedWidth(text).width
}

/** The text, cut so that it takes at most `cells`; where it is cut it ends in `…`. */
export function fitCells(text: string, cells: number): string {
  if (cells <= 0) return ''
  if (text.length <= cells && ASCII.test(text)) return text
  const { index, ellipsed } = truncatedWidth(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 })
  return ellipsed ? `${text.slice(0, index).trimEnd()}…` : text.slice(0, index)
}

/** The text with spaces behind it, so that it takes `cells`. */
export function padCells(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - cellsOf(text)))
}

const ASCII = /^[ -~]*$/
