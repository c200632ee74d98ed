import { isConvincing, kindOfValue } from '../judge.ts'
import type { Expectation } from '../names.ts'
import type { Span } from '../scan.ts'

/**
 * Finds secrets in a table (CSV, or with bars or tabs between the cells) that has the name as a cell of its first row.
 * The secrets are in the same column of the next rows.
 */
export function valueBelow(
  text: string,
  start: number,
  end: number,
  expected: Expectation,
): Span[] | undefined {
  const after = /^["'`]?[ \t]{0,40}([,|│\t]|\r?\n|\\n)/.exec(text.slice(end, end + 44))?.[1]
  if (after === undefined) return undefined
  const near = text.slice(Math.max(0, start - MAX_ROW_LENGTH), start)
  const before = near.slice(near.lastIndexOf('\n') + 1)
  const rowEnd = endOfRow(text, end)
  if (text[rowEnd] !== '\n') return undefined
  const header = before + text.slice(start, rowEnd)
  const sign = SIGNS.find((candidate) => header.trim().includes(candidate))
  if (sign === undefined) return undefined
  const width = header.split(sign).length
  const column = before.split(sign).length - 1
  const spans: Span[] = []
  for (let row = 0, from = rowEnd + 1; row < MAX_ROWS && from < text.length; row++) {
    const to = endOfRow(text, from)
    const cells = text.slice(from, to).split(sign)
    if (cells.length !== width && !/^[\s|+:─┼├┤-]+$/.test(text.slice(from, to))) break
    const cell = cells[column] ?? ''
    const value = CELL.exec(cell)?.[0] ?? ''
    if (isConvincing(value, expected)) {
      const start =
        from +
        cells.slice(0, column).join(sign).length +
        (column === 0 ? 0 : sign.length) +
        cell.indexOf(value)
      spans.push({ start, end: start + value.length, kind: kindOfValue(value) })
    }
    from = to + 1
  }
  return spans.length === 0 ? undefined : spans
}

/** The content of a cell, without spaces, bars and quotes around it. */
const CELL = /[^\s|│"'`](?:.*[^\s|│"'`])?/

/** The separator of two cells. A bar without a space next to it belongs to a pattern or a command. */
const SIGNS = [' | ', ' │ ', '\t', ',']

function endOfRow(text: string, from: number): number {
  const end = text.slice(from, from + MAX_ROW_LENGTH).indexOf('\n')
  return end < 0 ? Math.min(text.length, from + MAX_ROW_LENGTH) : from + end
}

const MAX_ROW_LENGTH = 400
const MAX_ROWS = 6
