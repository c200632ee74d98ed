import { type Clue, expectationOf, isRandom, isSecretValue, isStandIn, kindOfValue } from './judge.ts'
import { withoutPlaceholders } from './placeholder.ts'
import type { Span, Verdict } from './scan.ts'

/**
 * Finds secrets that only their surroundings give away: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`,
 * `https://user:…@host`, `Authorization: …`. Each rule is tried where one of its words stands.
 */
export const CONTEXT_TRIGGER =
  /\[REDACTED:|:\/\/|pass|pwd|_pw|secret|token |token|key|auth|credential|bearer |basic |cookie| -u| -p| --user| --proxy-user|dsn|_pat/gi

export function secretInContext(text: string, at: number, literal: string): Verdict {
  switch (literal.toLowerCase()) {
    case '://':
      return captured(text, at, URL_PASSWORD) ?? captured(text, at, URL_TOKEN, isRandom)
    case 'bearer ':
    case 'basic ':
      return credentials(text, at)
    case 'token ':
      return inHeader(text, at) ? captured(text, at, SCHEME) : assignment(text, at)
    case 'cookie':
      return cookies(text, at)
    case ' -u':
    case ' -p':
    case ' --user':
    case ' --proxy-user':
      return captured(text, at, COMMAND_PASSWORD, (value) => !/^[0-9]+$/.test(value))
    default:
      return assignment(text, at)
  }
}

/** `://user:password@host`; the last `@` before the path ends the password. */
const URL_PASSWORD = /:\/\/[^\s/:@"'`\\<>?#|,()[\]]{0,100}:([^\s/"'`\\<>]{1,256})@(?=[A-Za-z0-9[_.-])/y
const URL_TOKEN = /:\/\/([A-Za-z0-9_-]{20,256})@(?=[A-Za-z0-9[])/y
const COOKIE =
  /cookie\\*["']?\s?[:=,]\s?\\*["']?([\w.%-]{1,60}=[^\s"'\\]{1,100000}(?: [\w.%-]{1,60}=[^\s"'\\]{0,100000}){0,60})/iy
/** `curl -u user:password`, `sshpass -p password`, `mysql -ppassword`. */
const COMMAND_PASSWORD =
  / (?:(?:-u|--user|--proxy-user)[ =]?\\*["']?[^\s:"'\\[\]]{1,100}:(?<=\bcurl [^\n|;]{0,400})|-p ?\\*["']?(?<=\bsshpass -p ?\\*["']?)|-p(?<=\bmysql(?:dump|admin)? [^\n|;]{0,200}))([^\s"'\\]{4,200})(?![^\s"'\\])/y
const SCHEME = /(?:bearer|basic|token) {1,4}([A-Za-z0-9+/=_.~:|-]{8,4000})(?![A-Za-z0-9+/=_~|])/iy
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

/** Takes all cookies of a header when one of them is long enough to be a session cookie. */
function cookies(text: string, at: number): Verdict {
  const value = matchAt(COOKIE, text, at)?.[1]
  if (value === undefined) return undefined
  const end = COOKIE.lastIndex
  if (/=[^;]{16}/.test(withoutPlaceholders(value))) return { start: end - value.length, end, kind: 'cookie' }
  return value.length > LONG_RUN ? { skipTo: end } : undefined
}

function credentials(text: string, at: number): Span | undefined {
  const sure = inHeader(text, at)
  return captured(text, at, SCHEME, (value) =>
    sure ? /[0-9A-Z=]/.test(value) : value.length >= 16 && isRandom(value),
  )
}

function inHeader(text: string, at: number): boolean {
  return IN_HEADER.test(text.slice(Math.max(0, at - 30), at))
}

/** Finds a telling name, a separator and a value. */
function assignment(text: string, at: number): Verdict {
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
    if (sign === '>') return undefined
    const span = quoted(text, from, open, { expected, quoted: true, env: false })
    const told = sign === ',' || sign === 'is'
    return told && span !== undefined && !/[0-9]/.test(text.slice(span.start, span.end)) ? undefined : span
  }
  if (sign === '>') return captured(text, from, ELEMENT, (value) => /[0-9]/.test(value))
  if (/["'`]/.test(closing) || sign === ',' || sign === 'is') return undefined
  const env = between === '=' && /^[A-Z0-9_]+$/.test(name)
  const run = env ? UNQUOTED_ENV : sign === ':' ? UNQUOTED_AFTER_COLON : UNQUOTED
  return unquoted(text, from, run, { expected, quoted: false, env })
}

/**
 * Matches the rest of the name, its closing quote, a separator (perhaps after a type), and the opening quote of the
 * value.
 */
const SEPARATOR =
  /([A-Za-z0-9_-]{0,40})(\\*["'`]?\]?\*{0,2})([ \t]{0,8}(?::[ \t]?(?:string|String|str|&str)[ \t]{0,3}(?==))?(?::=|=>|[!=]={1,2}|[:=>,]|[ \t]is(?=[ \t]))\*{0,2}[ \t]{0,8}|[ \t]{1,4})([rbfu@$]?\\*["'`])?/y
/** Matches `login <user>` right before the name. In .netrc a password follows its name without a sign. */
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
  // The quote ended a JSON string: JSON structure follows, not a value.
  if (/^[,\]}:]/.test(value)) return undefined
  return isSecretValue(value, clue) ? { start: from, end, kind: kindOfValue(value) } : undefined
}

const LONGEST_QUOTED = 4096

/**
 * Finds the end of a string whose opening quote stands after k backslashes; k says how often the text was escaped. A
 * quote after m backslashes closes the string when k backslashes remain once the escaped backslashes are taken away.
 */
function closingQuote(text: string, from: number, open: string): number | undefined {
  const quote = open.at(-1)!
  const depth = open.split('\\').length - 1
  const limit = Math.min(text.length, from + LONGEST_QUOTED)
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

/**
 * An unquoted value ends at white space, a quote, or an escaped quote or line end. Outside a shell it also ends at
 * punctuation.
 */
const UNQUOTED_AFTER_COLON = /(?:[^\s"'`\\,;)\]}<>]|\\+[^\s"'`\\nrtu,;)\]}<>]){1,1000000}/y
const UNQUOTED = /(?:[^\s"'`\\,;)\]}<>|&]|\\+[^\s"'`\\nrtu,;)\]}<>|&]){1,1000000}/y
const UNQUOTED_ENV = /(?:[^\s"'`\\<>]|\\+[^\s"'`\\nrtu<>]){1,1000000}/y

function unquoted(text: string, from: number, pattern: RegExp, clue: Clue): Verdict {
  const run = matchAt(pattern, text, from)?.[0]
  if (run === undefined) return undefined
  const value = run.replace(TRAILING, '')
  if (isSecretValue(value, clue)) return { start: from, end: from + value.length, kind: kindOfValue(value) }
  return run.length > LONG_RUN ? { skipTo: from + run.length } : undefined
}

const TRAILING = /(?:[.,;:)|&]|\*\*)+$/
/** A rejected run of this length is a blob; looking for names inside it could cost its length squared. */
const LONG_RUN = 512

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
