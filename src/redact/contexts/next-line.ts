import { isConvincing, isSecretValue, kindOfValue } from '../judge.ts'
import type { Expectation } from '../names.ts'
import type { Span } from '../scan.ts'
import { isLineEnd, isStructure, type Quotes, unquotedAt } from './values.ts'

/**
 * Finds a value on the line below its name: a block after `password: |` in YAML, a string after `apiKey =` in code.
 * `from` is the offset after the sign.
 */
export function valueOnNextLine(
  text: string,
  from: number,
  expected: Expectation,
  quotes: Quotes,
): Span | undefined {
  LINE_BREAK.lastIndex = from
  const match = LINE_BREAK.exec(text)
  if (match === null) return undefined
  const [, block, open] = match
  const start = LINE_BREAK.lastIndex
  if (open === undefined) return wholeLine(text, start, expected, block !== undefined)
  const end = quotes.closing(start, open)
  if (end === undefined || end - start > MAX_LENGTH) return undefined
  const value = text.slice(start, end)
  if (isStructure(value)) return undefined
  return isSecretValue(value, { expected, form: 'quoted' }) ? spanOf(value, start) : undefined
}

/** A bracket of code or the sign of a block, the end of the line, the next line's indent, and perhaps a quote. */
const LINE_BREAK =
  /(?:\(|([|>][+-]?[0-9]?))?[ \t]{0,8}(?:\r?\n|\\{1,8}n)[+-]?(?:[ \t]|\\{1,8}t){1,60}([rbfuN@$]?\\{0,40}["'`])?/y
const MAX_LENGTH = 4096

/** Without quotes and without the sign of a block, the next line is often code, so the value has to be convincing. */
function wholeLine(text: string, start: number, expected: Expectation, inBlock: boolean): Span | undefined {
  const run = unquotedAt(text, start, 'env')
  if (run === undefined || !isLineEnd(text, run.run) || /[:,;{([]$/.test(text.slice(run.run - 1, run.run)))
    return undefined
  const { value } = run
  const fits = inBlock ? isSecretValue(value, { expected, form: 'line' }) : isConvincing(value, expected)
  return fits ? spanOf(value, start) : undefined
}

function spanOf(value: string, start: number): Span {
  return { start, end: start + value.length, kind: kindOfValue(value) }
}
