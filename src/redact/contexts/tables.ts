import { isConvincing, isInventedPassword, kindOfValue } from '../judge.ts'
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
  if (!/^["'`]?(?:[ \t]{0,40}(?:[,;|│\t”]|\\{1,8}t|\r?\n|\\{1,8}n)| {2})/.test(text.slice(end, end + 54)))
    return undefined
  const near = text.slice(Math.max(0, start - MAX_ROW_LENGTH), start)
  const before = near.split(ROW_END).at(-1)!
  const head = rowAt(text, end)
  if (head.next === head.end) return undefined
  // The comma after the last item of a list separates nothing.
  const header = (before + text.slice(start, head.end)).trim().replace(/,$/, '')
  const sign = SIGNS.find((candidate) => candidate.test(header))
  // Assignments in columns are no table: `NAME_KEY   = 1`.
  if (sign === undefined || / {2}:?= /.test(header)) return undefined
  const width = header.split(sign).length
  const column = before.trimStart().split(sign).length - 1
  const spans: Span[] = []
  for (let row = 0, from = head.next; row < MAX_ROWS && from < text.length; row++) {
    const { end: to, next } = rowAt(text, from)
    const line = text.slice(from, to)
    const cells = line.trim().replace(/,$/, '').split(sign)
    if (cells.length !== width && !/[-─=]{2}[|+:┼┤]?$/.test(line.trim())) break
    const value = CELL.exec(cells[column] ?? '')?.[1] ?? ''
    if (isSecretCell(value, expected) && !ONE_NUMBER.test(value)) {
      const start = from + line.lastIndexOf(value)
      spans.push({ start, end: start + value.length, kind: kindOfValue(value) })
    }
    if (next === to) break
    from = next
  }
  return spans.length === 0 ? undefined : spans
}

function isSecretCell(value: string, expected: Expectation): boolean {
  return (/[0-9]/.test(value) && isConvincing(value, expected)) || isInventedPassword(value, expected)
}

/** The content of a cell, without spaces, bars and quotes around it. */
const CELL =
  /^[\s|│"'`]{0,20}([^\s|│"'`\\<]{1,400})[\s|│"'`\\”*]{0,20}(?:$|<|[^A-Za-z0-9\s]{1,10}(?:$|<)|(?<=["'`])[,\]} ])/

/** The separator of two cells. A bar without a space next to it belongs to a pattern or a command. */
const SIGNS = [/ \| /, / │ /, /\t|\\{1,8}t/, /,/, /;/, / {2,}/]

/** A name with one number, as constants in columns have it: `LogicalBackupS3Bucket`. */
const ONE_NUMBER = /^[A-Za-z]+[0-9]{1,3}[A-Za-z]*$/

const ROW_END = /\r?\n|\\{1,8}n/

/** The end of the row at an offset, and where the next one begins. */
function rowAt(text: string, from: number): { end: number; next: number } {
  const near = text.slice(from, from + MAX_ROW_LENGTH)
  const match = ROW_END.exec(near)
  if (match === null) return { end: from + near.length, next: from + near.length }
  return { end: from + match.index, next: from + match.index + match[0].length }
}

const MAX_ROW_LENGTH = 400
const MAX_ROWS = 6
