import { isConvincing, isSecretValue, kindOfValue } from '../judge.ts'
import type { Span } from '../scan.ts'
import { captured } from './credentials.ts'
import { OPENING } from './values.ts'

/** A password as a whole string between quotes. */
const STRING = `[rbfuN]?${OPENING}([^"'\\\\\\n]{4,200})(?=\\\\{0,40}["'])`

/** `CREATE USER me IDENTIFIED BY '…'` */
const IDENTIFIED = new RegExp(`identified by (?:password )?${STRING}`, 'iy')

export function identifiedBy(text: string, offset: number): Span | undefined {
  // `the function identified by "repeat"`
  return /\b(?:create|alter|grant)\b/i.test(text.slice(Math.max(0, offset - 200), offset))
    ? captured(text, offset, IDENTIFIED)
    : undefined
}

/** `SET PASSWORD FOR 'me'@'%' = '…'`, or `= PASSWORD('…')` of older servers. */
const SET_PASSWORD = new RegExp(`password for [^\\s=]{1,100}\\s?=\\s?(?:password\\()?${STRING}`, 'iy')

export function passwordFor(text: string, offset: number): Span | undefined {
  return captured(text, offset, SET_PASSWORD)
}

/** `auth=("me", "…")`, `SetBasicAuth("me", "…")`, `HTTPBasicAuth('me', '…')`. The match begins at `auth`. */
const PAIR = new RegExp(
  `auth(?:entication)?\\s?=?\\s?\\(\\s{0,20}[rbfu]?\\\\{0,40}["'][^"'\\\\\\n]{0,100}\\\\{0,40}["'],\\s{0,20}${STRING}`,
  'iy',
)

export function authPair(text: string, offset: number): Span | undefined {
  // `auth("google", "calendar")` may be any function.
  const isAuthentication = /=|basic/i.test(text.slice(Math.max(0, offset - 6), offset + 8))
  return captured(
    text,
    offset,
    PAIR,
    (value) =>
      isSecretValue(value, { expected: 'password', form: 'quoted' }) &&
      (isAuthentication || /[^A-Za-z_.:-]/.test(value)),
  )
}

/** `jdbc:oracle:thin:me/…@//host:1521/x` */
const ORACLE = /jdbc:oracle:[a-z0-9]{1,8}:[^\s/:@"'`\\]{1,64}\/\\*"?([^\s/"'`\\<>@]{4,128})\\*"?@/iy

export function oracleUrl(text: string, offset: number): Span | undefined {
  return captured(text, offset, ORACLE)
}

/** `login: admin:…`, `creds: admin / …` */
const LOGIN =
  /(?:login|creds): {1,3}[\w.@+-]{1,60}(?::| ?\/ ?)([^\s"'`\\<>]{8,100}?)(?=[.,;)]?(?:\s|["'`\\<]|$))/iy

export function loginPair(text: string, offset: number): Span | undefined {
  return captured(text, offset, LOGIN, (value) => isConvincing(value, 'password'))
}

/** Finds the secret numbers of a JWK in JSON. `offset` points at `"kty"` in it. */
export function webKey(text: string, offset: number): Span[] | undefined {
  const first = Math.max(0, offset - MAX_KEY)
  const brace = text.slice(first, offset).lastIndexOf('{')
  if (brace < 0) return undefined
  const start = first + brace
  const [key = ''] = text.slice(start, start + 2 * MAX_KEY).split('}', 1)
  // Only the first `"kty"` reads the object, so that a made-up object is not read again and again.
  if (key.search(/"kty/i) !== offset - start) return undefined
  return [...key.matchAll(KEY_PART)].map((match) => {
    const from = start + match.index + match[1]!.length
    return { start: from, end: from + match[2]!.length, kind: kindOfValue(match[2]!) }
  })
}

const MAX_KEY = 4000
const KEY_PART = /("(?:d|k|p|q|dp|dq|qi)\\{0,8}"\s?:\s?\\{0,8}")([A-Za-z0-9_-]{20,3000})(?=\\{0,8}")/g

/** `ConvertTo-SecureString "…" -AsPlainText` of PowerShell */
const SECURE_STRING = new RegExp(`convertto-securestring (?:-string )?${STRING}`, 'iy')

export function secureString(text: string, offset: number): Span | undefined {
  return captured(text, offset, SECURE_STRING)
}
