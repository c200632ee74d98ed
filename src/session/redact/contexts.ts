import { type Clue, expectationOf, isRandom, isSecretValue, isStandIn, kindOfValue } from './judge.ts'
import { withoutPlaceholders } from './placeholder.ts'
import type { Span, Verdict } from './scan.ts'

/**
 * Secrets that only their surroundings give away: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`,
 * `https://user:…@host`, `Authorization: …`. Each rule is tried where one of its words stands.
 */
export const CONTEXT_TRIGGER =
  /\[REDACTED:|:\/\/|pass|pwd|_pw|secret|token|key|auth|credential|bearer |basic |cookie|curl |sshpass |mysql|dsn|_pat/gi

export function secretInContext(text: string, at: number, literal: string): Verdict {
  switch (literal.toLowerCase()) {
    case '://':
      return captured(text, at, URL_PASSWORD) ?? captured(text, at, URL_TOKEN, isRandom)
    case 'bearer ':
    case 'basic ':
      return credentials(text, at)
    case 'cookie':
      return cookies(text, at)
    case 'curl ':
    case 'sshpass ':
    case 'mysql':
      return captured(text, at, COMMAND_PASSWORD, (value) => !/^[0-9]+$/.test(value))
    default:
      return assignment(text, at)
  }
}

/** `://user:password@host`; the last `@` before the path ends the password. */
const URL_PASSWORD = /:\/\/[^\s/:@"'`\\<>?#|,()[\]]{0,100}:([^\s/"'`\\<>]{1,256})@(?=[A-Za-z0-9[_.-])/y
const URL_TOKEN = /:\/\/([A-Za-z0-9_-]{20,256})@(?=[A-Za-z0-9[])/y
const COOKIE =
  /cookie\\*["']?\s?[:=,]\s?\\*["']?((?:[\w.%-]{1,60}=[^\s;"'\\]{0,2000}; ?){0,30}[\w.%-]{1,60}=[^\s;"'\\]{16,2000}(?:; ?[^\s;"'\\]{1,2000}){0,30})/iy
const COMMAND_PASSWORD =
  /(?:curl [^\n|;]{0,300}?(?:-u|--user|--proxy-user)[ =]?\\*["']?[^\s:"'\\]{1,100}:|sshpass -p ?\\*["']?|mysql(?:dump|admin)? [^\n|;]{0,200}?-p(?=\S))([^\s"'\\]{4,200})/iy
const SCHEME = /(?:bearer|basic) {1,4}([A-Za-z0-9+/=_.~:|-]{8,4000})/iy
const IN_HEADER = /authorization\\*["'`]?\]?\s{0,2}[:=,]\s{0,2}\\*["'`]?$/i

function captured(
  text: string,
  at: number,
  pattern: RegExp,
  and?: (value: string) => boolean,
): Span | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  const value = match?.[1]
  if (value === undefined || isStandIn(value) || and?.(value) === false) return undefined
  const start = at + match![0].lastIndexOf(value)
  return { start, end: start + value.length, kind: kindOfValue(value) }
}

/** All cookies of a header, if one of them is long enough to be a session's. */
function cookies(text: string, at: number): Span | undefined {
  const value = matchAt(COOKIE, text, at)?.[1]
  if (value === undefined || !/=[^;]{16}/.test(withoutPlaceholders(value))) return undefined
  const start = COOKIE.lastIndex - value.length
  return { start, end: COOKIE.lastIndex, kind: 'cookie' }
}

function credentials(text: string, at: number): Span | undefined {
  const inHeader = IN_HEADER.test(text.slice(Math.max(0, at - 30), at))
  return captured(text, at, SCHEME, (value) =>
    inHeader ? /[0-9A-Z=]/.test(value) : value.length >= 16 && isRandom(value),
  )
}

/** A telling name, a separator, a value. */
function assignment(text: string, at: number): Span | undefined {
  const match = matchAt(SEPARATOR, text, at)
  if (match === undefined) return undefined
  const [whole, rest, closing, between, open] = match as unknown as [string, string, string, string, string?]
  const sign = between.replaceAll('*', '').trim()
  const before = nameBefore(text, at)
  const spaced =
    before.startsWith('-') || (open === undefined && NETRC.test(text.slice(Math.max(0, at - 120), at)))
  if (sign === '' && !spaced) return undefined
  const name = before + rest
  const expected = expectationOf(name)
  if (expected === undefined) return undefined
  const from = at + whole.length
  if (open !== undefined) {
    const span = quoted(text, from, open, { expected, quoted: true, env: false })
    const told = sign === ',' || sign === 'is'
    return told && span !== undefined && !/[0-9]/.test(text.slice(span.start, span.end)) ? undefined : span
  }
  if (sign === '>') return captured(text, from, ELEMENT, (value) => /[0-9]/.test(value))
  if (/["'`]/.test(closing) || sign === ',' || sign === 'is') return undefined
  return unquoted(text, from, { expected, quoted: false, env: between === '=' && /^[A-Z0-9_]+$/.test(name) })
}

/** Rest of the name, its closing quote, a separator (perhaps after a type), the opening quote of the value. */
const SEPARATOR =
  /([A-Za-z0-9_-]{0,40})(\\*["'`]?\]?\*{0,2})([ \t]{0,8}(?::[ \t]?(?:string|String|str|&str)[ \t]{0,3}(?==))?(?::=|=>|[!=]={1,2}|[:=>,]|[ \t]is(?=[ \t]))\*{0,2}[ \t]{0,8}|[ \t]{1,4})([rbfu@$]?\\*["'`])?/y
/** `login <user>` right before, as in .netrc, where a password follows its name without a sign. */
const NETRC = /\blogin[ \t\r\n]+\S{1,64}[ \t\r\n]+$/
/** `<password>…</password>` */
const ELEMENT = /([^\s<>"'\\]{5,200})<\//y

function nameBefore(text: string, at: number): string {
  const before = matchAt(NAME_BEFORE, text, at)![1]!
  return /^[nrt]/.test(before) && text[at - before.length - 1] === '\\' ? before.slice(1) : before
}

const NAME_BEFORE = /(?<=([A-Za-z0-9_.-]{0,60}))/y

function quoted(text: string, from: number, open: string, clue: Clue): Span | undefined {
  const end = closingQuote(text, from, open)
  if (end === undefined) return undefined
  const value = text.slice(from, end)
  return isSecretValue(value, clue) ? { start: from, end, kind: kindOfValue(value) } : undefined
}

const LONGEST_VALUE = 4096

/**
 * Where a string ends that began with a quote after k backslashes: k tells how often the text was escaped. A
 * quote after m backslashes closes it if, all escaped backslashes taken away, k are left.
 */
function closingQuote(text: string, from: number, open: string): number | undefined {
  const quote = open.at(-1)!
  const depth = open.split('\\').length - 1
  const limit = Math.min(text.length, from + LONGEST_VALUE)
  let backslashes = 0
  for (let i = from; i < limit; i++) {
    const char = text[i]!
    if (char === '\\') {
      backslashes++
    } else if (char === '\n') {
      return undefined
    } else {
      if (char === quote && backslashes % (2 * (depth + 1)) === depth) return i - depth
      backslashes = 0
    }
  }
  return undefined
}

/** An unquoted value ends at white space, a quote, an escaped one or line end, and, save in a shell, punctuation. */
const UNQUOTED = /(?:[^\s"'`\\,;)\]}<>|&]|\\+[^\s"'`\\nrtu,;)\]}<>|&]){1,4096}/y
const UNQUOTED_ENV = /(?:[^\s"'`\\<>]|\\+[^\s"'`\\nrtu<>]){1,4096}/y

function unquoted(text: string, from: number, clue: Clue): Span | undefined {
  const found = matchAt(clue.env ? UNQUOTED_ENV : UNQUOTED, text, from)
  if (found === undefined || found[0].length >= LONGEST_VALUE) return undefined
  const value = found[0].replace(/(?:[.,;:)|&]|\*\*)+$/, '')
  return isSecretValue(value, clue)
    ? { start: from, end: from + value.length, kind: kindOfValue(value) }
    : undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
