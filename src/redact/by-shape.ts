import { encodedKeyAt, keyTailAt, privateKeyAt, puttyKeyAt } from './keys.ts'
import { MARK } from './placeholder.ts'
import { isRandom } from './random.ts'
import { anyOf, escapeLiteral, type Judge, longestFirst, type Span, spansIn, type Verdict } from './scan.ts'
import { SHAPES } from './shapes/index.ts'
import { patternOf, type Shape } from './shapes/shape.ts'
import { isExample } from './stand-in.ts'
import { webTokens } from './web-token.ts'

const ARMOUR = '-----BEGIN'
const END = '-----END'
const PUTTY = 'Private-Lines:'
/** Base64 of `-----BEGIN`. */
const ENCODED_ARMOUR = 'LS0tLS1CRUdJTi'
/** Base64 of `{"`. */
const WEB_TOKEN = 'eyJ'
/** Announces a file, mostly a picture. The file is skipped, because its random letters may look like a token. */
const DATA_URI = ';base64,'

const STARTS = [...new Set(SHAPES.flatMap((shape) => shape.starts))]

/** Finds any literal that announces a secret, with one search for all kinds. */
export const SHAPE_TRIGGER = anyOf([...STARTS, ARMOUR, END, PUTTY, ENCODED_ARMOUR, WEB_TOKEN, DATA_URI, MARK])

/**
 * Matches a place where a token may start: no letter or digit is before it, unless that letter or digit ends an escape
 * (`\n`, `%20`, `\u001b`) or a terminal colour.
 */
const WORD_START =
  '(?:(?<![A-Za-z0-9])|(?<=\\\\[abfnrtv]|%[0-9A-Fa-f]{2}|\\\\[ux][0-9A-Fa-f]{2,4}|\\[[0-9;]{0,8}m))'
/** Starts that no word contains: each begins a token, even right after another token. */
const TOKEN_STARTS = longestFirst(
  STARTS.filter((start) => /^[A-Za-z0-9]{2}.*[_.-]/.test(start) && start.length > 3),
)
  .map(escapeLiteral)
  .join('|')
/**
 * Matches a place where a token may end: before anything but a letter, digit or `_`, after anything but a letter or
 * digit, or where another token starts.
 */
const WORD_END = `(?:(?![A-Za-z0-9_])|(?<![A-Za-z0-9])|(?=${TOKEN_STARTS}))`

interface Pattern {
  shape: Shape
  regex: RegExp
}

/** The shapes to try at a literal: the literal begins with one of their starts. */
const PATTERNS_AT: ReadonlyMap<string, readonly Pattern[]> = patternsByStart()

/** Judges the literals of a text by the shape of the token that each of them begins. */
export function secretsByShape(text: string): Judge {
  const webTokenAt = webTokens(text)
  return (offset, literal): Verdict => {
    if (literal === ARMOUR) return privateKeyAt(text, offset)
    if (literal === END) return keyTailAt(text, offset)
    if (literal === PUTTY) return puttyKeyAt(text, offset)
    if (literal === ENCODED_ARMOUR) return encodedKeyAt(text, offset)
    if (literal === DATA_URI) return dataUri(text, offset + DATA_URI.length)
    if (literal.startsWith(WEB_TOKEN)) {
      const token = webTokenAt(offset)
      if (token !== undefined) return isExample(text.slice(offset, token.end)) ? undefined : token
    }
    for (const pattern of PATTERNS_AT.get(literal) ?? []) {
      const span = matchedBy(pattern, text, offset)
      if (span !== undefined) return span.kind === ACCESS_KEY_ID ? withItsSecret(text, span) : span
    }
    return undefined
  }
}

function patternsByStart(): Map<string, Pattern[]> {
  const patterns = SHAPES.map((shape) => ({ shape, regex: patternOf(shape, WORD_START, WORD_END) }))
  return new Map(
    STARTS.map((literal) => [
      literal,
      patterns.filter(({ shape }) => shape.starts.some((start) => literal.startsWith(start))),
    ]),
  )
}

function matchedBy({ shape, regex }: Pattern, text: string, offset: number): Span | undefined {
  const start = offset - shape.back
  if (start < 0) return undefined
  regex.lastIndex = start
  const match = regex.exec(text)
  if (match === null) return undefined
  const secret = match[1] ?? match[0]
  if (isExample(secret) || (shape.random && !isRandom(randomPart(shape, secret)))) return undefined
  const from = start + match[0].lastIndexOf(secret)
  return { start: from, end: endBeforeNext(text, from, from + secret.length), kind: shape.kind }
}

/** The end of a token, without the letters that are the start of the next token. */
function endBeforeNext(text: string, from: number, end: number): number {
  const near = Math.max(from + SHORTEST, end - LONGEST_START)
  const next = NEXT_START.exec(text.slice(near, end + LONGEST_START))
  return next !== null && near + next.index < end && near + next.index + next[0].length > end
    ? near + next.index
    : end
}

const NEXT_START = new RegExp(TOKEN_STARTS)
/** No token has fewer letters, so none ends before that. */
const SHORTEST = 12
const LONGEST_START = STARTS.reduce((longest, { length }) => Math.max(longest, length), 0)

/** The secret without the fixed start of its shape. */
function randomPart(shape: Shape, secret: string): string {
  const start = shape.starts.findLast((literal) => secret.startsWith(literal))
  return start === undefined ? secret : secret.slice(start.length)
}

const ACCESS_KEY_ID = 'aws-access-key-id'

/**
 * The secret key of AWS has no fixed start, but is near its id: in the next field of a CSV, the next line of a file,
 * the next answer of a dialogue, the next cell of a table.
 */
function withItsSecret(text: string, id: Span): Span[] {
  const near = [
    secretIn(text, Math.max(0, id.start - MAX_DISTANCE), id.start),
    secretIn(text, id.end, id.end + MAX_DISTANCE),
  ]
  const between = near[1] === undefined ? [] : tokensIn(text, id.end, near[1].start)
  return [near[0], id, ...between, near[1]].filter((span) => span !== undefined)
}

const MAX_DISTANCE = 300

/** Other tokens between an id and its secret, which are found before the search goes on behind the secret. */
function tokensIn(text: string, from: number, to: number): Span[] {
  const part = text.slice(from, to)
  return spansIn(part, SHAPE_TRIGGER, secretsByShape(part)).map(({ start, end, kind }) => ({
    ...{ start: start + from, end: end + from, kind },
  }))
}

function secretIn(text: string, from: number, to: number): Span | undefined {
  // One letter more on each side shows whether a run of forty letters ends there, or was only cut there.
  const first = Math.max(0, from - 1)
  const near = text.slice(first, to + 1)
  for (const match of near.matchAll(SECRET_KEY)) {
    const secret = match[0]
    const start = first + match.index
    if (start < from || start + secret.length > to) continue
    if (!/[0-9]/.test(secret) || !/[A-Z]/.test(secret) || !/[a-z]/.test(secret)) continue
    if (isExample(secret) || !isRandom(secret)) continue
    return { start, end: start + secret.length, kind: 'aws-secret-key' }
  }
  return undefined
}

/** The letter of an escaped line end does not belong to the key. */
const SECRET_KEY = /(?:(?<![A-Za-z0-9/+=\\])|(?<=\\[nrt]))[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g

function dataUri(text: string, from: number): Verdict {
  if (text.startsWith(ENCODED_ARMOUR, from)) return encodedKeyAt(text, from)
  NOT_BASE64.lastIndex = from
  return { skipTo: NOT_BASE64.exec(text)?.index ?? text.length }
}

const NOT_BASE64 = /[^A-Za-z0-9+/=%_-]/g
