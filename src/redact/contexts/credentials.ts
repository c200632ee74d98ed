import { isFormWord } from '../form-words.ts'
import { isConvincing, kindOfValue } from '../judge.ts'
import { withoutPlaceholders } from '../placeholder.ts'
import { isRandom } from '../random.ts'
import type { Span, Verdict } from '../scan.ts'
import { isStandIn } from '../stand-in.ts'

/** `://user:password@host`; the last `@` before the path ends the password. */
const URL_PASSWORD = /:\/\/[^\s/:@"'`\\<>?#|,()[\]]{0,100}:([^\s/"'`\\<>]{1,256})@(?=[A-Za-z0-9[_.{$%-])/y
/** Like URL_PASSWORD, but with a `/` in the password. A short number before the `/` is a port, so it does not match. */
const URL_PASSWORD_WITH_SLASH =
  /:\/\/[^\s/:@"'`\\<>?#|,()[\]]{1,100}:((?![0-9]{1,5}\/)[^\s/"'`\\<>@]{1,128}\/[^\s"'`\\<>@]{0,128})@[A-Za-z0-9[][A-Za-z0-9_.-]{2,100}(?=[:/?#\s"'`\\,;)]|$)/y
const URL_TOKEN = /:\/\/([A-Za-z0-9_-]{20,256})@(?=[A-Za-z0-9[])/y

export function urlCredentials(text: string, offset: number): Span | undefined {
  return (
    captured(text, offset, URL_PASSWORD, (value) => !/^[A-Za-z_:-]+$/.test(value) || !isFormWord(value)) ??
    captured(text, offset, URL_PASSWORD_WITH_SLASH) ??
    captured(text, offset, URL_TOKEN, isRandom)
  )
}

const SCHEME = /(?:bearer|basic|token) {1,4}([A-Za-z0-9+/=_.~:|-]{8,4000})(?![A-Za-z0-9+/=_~|])/iy
const IN_HEADER = /authorization\\*["'`]?\]?\s{0,2}[:=,]\s{0,2}\\*["'`]?(?:value\\*["']\s?:\s?\\*["'])?$/i

/** `Bearer …`: nearly any credentials in a header, and only random ones elsewhere. */
export function schemeCredentials(text: string, offset: number): Span | undefined {
  const isHeader = inHeader(text, offset)
  return captured(text, offset, SCHEME, (value) =>
    isHeader ? /[0-9A-Z=]/.test(value) : value.length >= 16 && isRandom(value),
  )
}

/** Whether `offset` is right after `Authorization: `, or `"name":"Authorization","value":"`. */
export function inHeader(text: string, offset: number): boolean {
  return IN_HEADER.test(text.slice(Math.max(0, offset - 60), offset))
}

/** `Authorization: ApiKey …`, `SSWS …`, `GenieKey …`, or the bare credentials. */
const HEADER =
  /authorization\\*["'`]?\]?\s{0,2}[:=,]\s{0,2}\\*["'`]?(?!(?:bearer|basic|token) )(?:[A-Za-z][A-Za-z0-9_-]{1,30} {1,4})?(?:[a-z]{2,10}=\\*"?)?([A-Za-z0-9+/=_.~:|-]{8,4000})(?![A-Za-z0-9+/=_~|])/iy

export function headerCredentials(text: string, offset: number): Span | undefined {
  return captured(text, offset, HEADER, (value) => /[0-9]/.test(value) && isConvincing(value, 'issued'))
}

const COOKIE =
  /cookie(?:\\*["']?\s?[:=]|\\*["']\s?,)\s?(?:\[(?:\s|\\{1,8}n){0,40})?\\*["']?([\w.%-]{1,60}=[^\s"'\\]{1,100000}(?: [\w.%-]{1,60}=[^\s"'\\]{0,100000}){0,60})/iy
/** `curl -b 'name=value'` */
const CURL_COOKIE =
  / (?:-b|--cookie)[ =]?(?<=\bcurl [^\n|;]{0,400})\\*["']?([\w.%-]{1,60}=[^\s"'\\]{1,10000}(?: [\w.%-]{1,60}=[^\s"'\\]{0,10000}){0,60})/y

export function cookieHeader(text: string, offset: number): Verdict {
  return cookies(text, offset, COOKIE)
}

export function curlCookie(text: string, offset: number): Verdict {
  return cookies(text, offset, CURL_COOKIE)
}

/** Takes all cookies of a header when one of them is long enough to be a session cookie. */
function cookies(text: string, offset: number, pattern: RegExp): Verdict {
  pattern.lastIndex = offset
  const value = pattern.exec(text)?.[1]
  if (value === undefined) return undefined
  const end = pattern.lastIndex
  if (withoutPlaceholders(value).split(';').some(isSession))
    return { start: end - value.length, end, kind: 'cookie' }
  return value.length > 512 ? { skipTo: end } : undefined
}

/** Whether a cookie is long enough for a session, and not a URL, a call, or words (`true_for_all_categories`). */
function isSession(cookie: string): boolean {
  const value = cookie.slice(cookie.indexOf('=') + 1)
  return (
    value.length >= 16 &&
    !/^ ?(?:domain|path|expires)=/i.test(cookie) &&
    !/:\/\/|[()]/.test(value) &&
    (!/^[A-Za-z]+(?:[_.-][A-Za-z]+)+$/.test(value) || isRandom(value))
  )
}

/** A line of cookies.txt: domain, TRUE, path, TRUE, time, name, value, between tabs. */
const COOKIE_LINE =
  /(?:\t|\\+t)(?:TRUE|FALSE)(?:\t|\\+t)[^\s\\]{1,100}(?:\t|\\+t)(?:TRUE|FALSE)(?:\t|\\+t)[0-9]{1,12}(?:\t|\\+t)[^\s\\]{1,100}?(?:\t|\\+t)([^\s"'\\]{8,4000})/y

export function cookieLine(text: string, offset: number): Span | undefined {
  COOKIE_LINE.lastIndex = offset
  const value = COOKIE_LINE.exec(text)?.[1]
  if (value === undefined || isStandIn(value) || (value.length < 16 && !/[0-9]/.test(value))) return undefined
  return { start: COOKIE_LINE.lastIndex - value.length, end: COOKIE_LINE.lastIndex, kind: 'cookie' }
}

/** A line of .pgpass: host, port, database, user, password. */
const PGPASS =
  /(?<=(?:^|\n|\\n|["'`])[ \t+-]{0,8}[A-Za-z0-9_.*-]{1,80}):(?:[0-9]{4,5}|\*):[A-Za-z0-9_.*-]{1,64}:[A-Za-z0-9_.*@-]{1,64}:([^\s:"'`\\]{5,200})(?=\s|$|["'`]|\\)/y

export function pgpassLine(text: string, offset: number): Span | undefined {
  return captured(text, offset, PGPASS, (value) => !/^[0-9]+$/.test(value))
}

export function captured(
  text: string,
  offset: number,
  pattern: RegExp,
  accepts?: (value: string) => boolean,
): Span | undefined {
  pattern.lastIndex = offset
  const match = pattern.exec(text)
  const value = match?.[1]
  if (value === undefined || isStandIn(value) || accepts?.(value) === false) return undefined
  const start = offset + match![0].lastIndexOf(value)
  return { start, end: start + value.length, kind: kindOfValue(value) }
}
