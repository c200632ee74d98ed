import { isSecretValue, kindOfValue } from '../judge.ts'
import type { Expectation } from '../names.ts'
import type { Span } from '../scan.ts'
import { isStructure, type Quotes } from './values.ts'

/**
 * Finds `name: DB_PASSWORD`, then `value: …`: the name is itself a value, and the secret is in a field next to it,
 * mostly the following one. `start` and `end` are the offsets of the name.
 */
export function valueField(
  text: string,
  start: number,
  end: number,
  expected: Expectation,
  quotes: Quotes,
): Span | undefined {
  return (
    spreadField(text, end, expected, quotes) ??
    defaultOf(text, end, expected, quotes) ??
    valueAfterName(text, end, expected, quotes) ??
    valueBeforeName(text, start, expected)
  )
}

/** `"password"`, a line with the colon, and the value. */
function spreadField(text: string, end: number, expected: Expectation, quotes: Quotes): Span | undefined {
  SPREAD.lastIndex = end
  const open = SPREAD.exec(text)?.[1]
  if (open === undefined) return undefined
  const to = quotes.closing(SPREAD.lastIndex, open)
  return to === undefined || to - SPREAD.lastIndex > 4096
    ? undefined
    : secretSpan(text, SPREAD.lastIndex, to, expected, 'quoted')
}

/** `variable "db_password" {`, other lines, `default = "…"` of Terraform. */
function defaultOf(text: string, end: number, expected: Expectation, quotes: Quotes): Span | undefined {
  DEFAULT.lastIndex = end
  const open = DEFAULT.exec(text)?.[1]
  const to = open === undefined ? undefined : quotes.closing(DEFAULT.lastIndex, open)
  return to === undefined || to - DEFAULT.lastIndex > 4096
    ? undefined
    : secretSpan(text, DEFAULT.lastIndex, to, expected, 'quoted')
}

function valueAfterName(text: string, end: number, expected: Expectation, quotes: Quotes): Span | undefined {
  VALUE_FIELD.lastIndex = end
  const match = VALUE_FIELD.exec(text)
  if (match === null) return undefined
  const from = VALUE_FIELD.lastIndex
  const [, closing, open] = match
  // JSON writes every string in quotes. Without quotes, a number, a list or a word such as `true` follows.
  if (closing !== '' && open === undefined) return undefined
  const to = open === undefined ? endOfWord(text, from) : quotes.closing(from, open)
  if (to === undefined || to - from > 4096) return undefined
  return secretSpan(text, from, to, expected, open === undefined ? 'line' : 'quoted')
}

/** White space, also as an escape. */
const SPACE = '(?:\\s|\\\\{1,40}[nrt])'
const QUOTE = '\\\\{0,40}["\']'
/** Another field of JSON between name and value: `"type": "plain",` */
const OTHER_FIELD = `${QUOTE}[\\w-]{1,40}${QUOTE}\\s?:\\s?(?:${QUOTE}[^"'\\\\\\n]{0,80}${QUOTE}|[\\w.-]{1,20}),${SPACE}{0,60}`
const SPREAD = new RegExp(`${QUOTE}${SPACE}{1,60}:${SPACE}{0,60}(${QUOTE})`, 'y')
const VALUE_FIELD = new RegExp(
  `(?:(?:${QUOTE})?,${SPACE}{0,60}(?:${OTHER_FIELD}){0,3}|(?:${QUOTE})?${SPACE}{1,60})` +
    `(?:[+-] {0,40}|(?:--[\\w-]{1,30} [\\w.:/-]{1,60} ){0,2}--(?=value))?(?:${QUOTE})?[Vv]alue((?:${QUOTE})?)(?:\\s?[:=]\\s?|(?<= --value) )(${QUOTE})?`,
  'y',
)

const DEFAULT = new RegExp(
  `${QUOTE}(?: ?\\{[^{}]{0,200}?|(?:,(?=[^()\\n]{0,120}(?:default|fallback))[^()\\n]{0,100}?))\\b(?:default|fallback)\\s{0,8}=\\s{0,4}(${QUOTE})`,
  'y',
)

function endOfWord(text: string, from: number): number {
  WORD.lastIndex = from
  return from + WORD.exec(text)![0].length
}

const WORD = /[^\s"'`\\<>]{0,4096}(?<![,;])/y

/** `"value": "…", "name": "DB_PASSWORD"` */
function valueBeforeName(text: string, start: number, expected: Expectation): Span | undefined {
  if (!/["']/.test(text[start - 1] ?? '')) return undefined
  const from = Math.max(0, start - MAX_BEFORE)
  const match = VALUE_BEFORE.exec(text.slice(from, start))
  if (match === null) return undefined
  const valueStart = from + match.index + match[1]!.length
  return secretSpan(text, valueStart, valueStart + match[2]!.length, expected, 'quoted')
}

const MAX_BEFORE = 360
const VALUE_BEFORE = new RegExp(
  `([Vv]alue${QUOTE}\\s?:\\s?${QUOTE})([^"'\\\\\\n]{5,200})${QUOTE},${SPACE}{0,40}${QUOTE}(?:[Nn]ame|[Kk]ey)${QUOTE}\\s?:\\s?${QUOTE}$`,
)

function secretSpan(
  text: string,
  start: number,
  end: number,
  expected: Expectation,
  form: 'line' | 'quoted',
): Span | undefined {
  const value = text.slice(start, end)
  if (isStructure(value)) return undefined
  return isSecretValue(value, { expected, form }) ? { start, end, kind: kindOfValue(value) } : undefined
}
