import { groupedAt } from '../groups.ts'
import { isConvincing, isSecretValue, kindOfValue } from '../judge.ts'
import type { Expectation } from '../names.ts'
import { GUESSABLE } from '../placeholder.ts'
import type { Span } from '../scan.ts'
import type { NamedPlace } from './named-place.ts'
import { isLineEnd, isStructure, type Quotes, unquotedAt } from './values.ts'

/**
 * Finds a value on a line below its name: a block after `password: |` in YAML, a string after `apiKey =` in code, what
 * is between lines of hyphens in a description of kubectl, a block of code in Markdown. `from` is the offset after the
 * sign. After a label the value needs no
 * indent; after the name of a field it may be any.
 */
export function valueOnNextLine(
  text: string,
  from: number,
  expected: Expectation,
  quotes: Quotes,
  kind: 'code' | 'label' | 'field',
): Span | undefined {
  BLOCK.lastIndex = from
  const block = BLOCK.exec(text)![1] !== undefined
  const below = lineBelow(text, BLOCK.lastIndex)
  if (below === undefined) return undefined
  OPEN.lastIndex = below.start
  const open = OPEN.exec(text)?.[0]
  if (kind === 'code' && !below.isIndented) return undefined
  if (open === undefined)
    return wholeLine(text, below.start, expected, kind === 'field' || block || below.isFenced)
  const start = OPEN.lastIndex
  const end = quotes.closing(start, open)
  if (end === undefined || end - start > MAX_LENGTH) return undefined
  const value = text.slice(start, end)
  if (isStructure(value)) return undefined
  // Backquotes are around names in prose.
  const fits = open.endsWith('`')
    ? isConvincing(value, expected)
    : isSecretValue(value, { expected, form: 'quoted' })
  return fits ? spanOf(value, start) : undefined
}

/**
 * Finds a secret on a line of its own below a line that only names it, as a page that was copied has them: `Client
 * secret`, the secret, `Copy`. It also finds what `cat config/master.key` prints.
 */
export function valueUnderLabel({ text, start, end, expected }: NamedPlace): Span | undefined {
  LABEL_END.lastIndex = end
  if (!LABEL_END.test(text)) return undefined
  const from = LABEL_END.lastIndex
  const before = text
    .slice(Math.max(0, start - 80), start)
    .split(/\n|\\{1,8}n/)
    .at(-1)!
  const below = LABEL_START.test(before) ? lineBelow(text, from) : undefined
  if (below === undefined) return undefined
  const first = below.start + (/["'`]/.test(text[below.start] ?? '') ? 1 : 0)
  const span = wholeLine(text, first, expected, false)
  // A name with a number is more often one of a list.
  return span && /^[\w.]+$/.test(text.slice(span.start, span.end)) && span.kind === GUESSABLE
    ? undefined
    : span
}

const LABEL_END = /(?: ?\([^()\n]{1,40}\))?[ *:]{0,4}(?=\r?\n|\\{1,8}r?\\{0,8}n)/y
const LABEL_START =
  /^(?:.{0,60}["'`])?(?:[ \t>#*|+"'-]{0,12}(?:\p{L}[\p{L}'’]{0,20}[: -]{1,2}){0,5}|.*\bcat [\w./-]*)$/u

/** The sign of a block, a bracket of code, or the backslash of a shell's line that goes on. */
const BLOCK = /(?:\(|\\(?=\r?\n)|([|>][+-]?[0-9]?))?/y
const OPEN = /[rbfuN@$]?\\{0,40}["'`]/y
const MAX_LENGTH = 4096

/** The offset of the first content below `from`; empty lines and one line of hyphens or a fence may be between. */
function lineBelow(
  text: string,
  from: number,
): { start: number; isFenced: boolean; isIndented: boolean } | undefined {
  const line = text
    .slice(Math.max(0, from - 160), from)
    .split(/\n|\\{1,8}n/)
    .at(-1)!
  let isFenced = false
  let start = from
  for (let n = 0; n < 3; n++) {
    LINE_BREAK.lastIndex = start
    if (!LINE_BREAK.test(text)) return n === 0 ? undefined : { start, isFenced, isIndented: false }
    start = afterMarks(text, LINE_BREAK.lastIndex, line)
    EMPTY.lastIndex = start
    const empty = EMPTY.exec(text)
    if (empty === null) break
    if (empty[0].includes('-')) isFenced = true
    start = EMPTY.lastIndex
  }
  INDENT.lastIndex = start
  INDENT.test(text)
  return { start: INDENT.lastIndex, isFenced, isIndented: INDENT.lastIndex > start }
}

const LINE_BREAK = /[ \t]{0,8}(?:\r?\n|\\{1,8}r?\\{0,8}n)/y
const INDENT = /(?:[ \t]|\\{1,8}t){0,60}/y
const EMPTY = /(?:[ \t]{0,8}(?:-{4,20}|`{3}\w{0,10}))?(?=[ \t]{0,8}(?:\r?\n|\\{1,8}r?\\{0,8}n))/y
/** What a diff, a numbered listing, a search, a comment or a quotation has before each line. */
const MARKS =
  /(?:[ \t]{0,8}(?:[+>|#*/-]{1,2}(?=[ \t])|[+-](?![+-])|[0-9]{1,6}(?:[→:|-]|[ \t]\|)|[\w./-]{1,60}:[0-9]{1,6}:(?:[0-9]{1,4}:)?))?/y

/** The offset after what each line has before it. A log has the same there in all lines, but for the digits. */
function afterMarks(text: string, offset: number, line: string): number {
  let length = 0
  for (let at = 0; at < line.length && alike(text[offset + at], line[at]!); at++)
    if (/[ \t=:|→]/.test(line[at]!)) length = at + 1
  MARKS.lastIndex = offset
  MARKS.test(text)
  return Math.max(offset + length, MARKS.lastIndex)
}

function alike(letter: string | undefined, other: string): boolean {
  return letter === other || (/[0-9]/.test(other) && letter !== undefined && /[0-9]/.test(letter))
}

/** Without quotes and without the sign of a block, the next line is often code, so the value has to be convincing. */
function wholeLine(text: string, start: number, expected: Expectation, inBlock: boolean): Span | undefined {
  const grouped = groupedAt(text, start)
  if (grouped !== undefined && isLineEnd(text, start + grouped.length)) return spanOf(grouped, start)
  const run = unquotedAt(text, start, 'env')
  if (
    run === undefined ||
    !isLineEnd(text, run.after) ||
    /[:,;{([]$/.test(text.slice(run.after - 1, run.after))
  )
    return undefined
  const { value } = run
  const fits = inBlock ? isSecretValue(value, { expected, form: 'line' }) : isConvincing(value, expected)
  return fits ? spanOf(value, start) : undefined
}

function spanOf(value: string, start: number): Span {
  return { start, end: start + value.length, kind: kindOfValue(value) }
}
