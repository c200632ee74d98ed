import { GUESSABLE } from './placeholder.ts'

/** What a name lets one expect of its value: `password` anything that is not a word, `issued` what a machine made up. */
export type Expectation = 'password' | 'issued'

/** A value as it stands in a text, and what its surroundings say of it. */
export interface Clue {
  expected: Expectation
  quoted: boolean
  /** `NAME=value` in capitals without spaces, as in a shell or an .env file: never code. */
  env: boolean
}

/**
 * What the name of a variable, a field, a header or a flag lets one expect, whatever its case style; nothing for
 * most names, such as `token_count`, `passwordless`, `next_page_token` and `public_key`.
 */
export function expectationOf(name: string): Expectation | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[.\-_]+/g, '_')
    .replace(/(?:_?\d{1,2}|_(?:base|prod|production|dev|test|staging|live|value|plain))$/, '')
  if (/(?:password|passwd|passphrase|passwort|secret)$|(?:^|_)(?:pwd|pass|pw)$/.test(words)) return 'password'
  if (/(?:^|_)(?:secret|signing|encryption|master)_?key$/.test(words)) return 'issued'
  if (/token$/.test(words)) return PAGING.test(words) ? undefined : 'issued'
  if (/(?:^|_)(?:auth|authorization|credentials?|pat|dsn)$|api_?key$/.test(words)) return 'issued'
  if (SECRET_KEY.test(words) || /_KEY\d*$/.test(name)) return PUBLIC_KEY.test(words) ? undefined : 'issued'
  return undefined
}

const PAGING =
  /(?:^|_)(?:next|prev|previous|page|paging|pagination|continuation|cursor|sync|cancel|cancellation|stop|pad|eos|bos|unk|mask|sep|special|per|max|min|total|input|output|start|end|first|last|new|current|pagetoken)_?token$/
const SECRET_KEY =
  /(?:access|secret|private|auth|account|signing|encryption|master|service|shared|license|admin|deploy|subscription|webhook|bot|session|jwt|hmac|aes|crypto|app|application|client|integration|server|role)_?key$/
const PUBLIC_KEY =
  /(?:public|publishable|primary|foreign|cache|sort|partition|unique|idempotency|registry|row|lookup)_?key$/

/** Whether a value that stands where a secret is expected is one, and not a stand-in, a word, or code. */
export function isSecretValue(value: string, clue: Clue): boolean {
  if (value.length < 5 || /\s/.test(value) || isStandIn(value) || isCode(value)) return false
  if (clue.expected === 'issued') return isIssued(value, clue)
  if (isPath(value)) return isRandom(value)
  if (/^[0-9]+$/.test(value)) return value.length >= 6 && (clue.quoted || clue.env)
  if (isWords(value)) return (clue.quoted || clue.env) && isLoneWord(value)
  return true
}

/** What a person writes where a secret would stand: documentation, a variable, a mask, what we put there ourselves. */
export function isStandIn(value: string): boolean {
  return STAND_IN.test(value) || new Set(value).size <= 3
}

const STAND_IN = new RegExp(
  [
    '\\[REDACTED:',
    '^[<{\\[(]',
    '^\\$(?:[A-Za-z_][A-Za-z0-9_]*$|[({])',
    '\\$\\{|\\{\\{|%[({]|<[a-z _-]+>',
    '^%[A-Za-z_]+%$',
    'x{4}|\\*{3}|\\.{3}|…|•{2}|0{8}|#{4}',
    'example|placeholder|redacted|changeme|change[-_]me|replace[-_]?me',
    '(?:^|[-_.])(?:dummy|fixme|todo|fake)(?:$|[-_.])',
    '^(?:your|my|the|some|any|insert|enter|put|add|fake|sample)[-_ ]?[a-z]',
    '[-_]here$',
    '^(?:null|none|nil|undefined|true|false|password|passwd|passphrase|pass|pwd|secret|token|key|user|test|sample|redacted)[\'"]?$',
  ].join('|'),
  'i',
)

/** The same for a token of known shape, where a short word may well have been drawn by lot. */
export function isExample(token: string): boolean {
  return /example|placeholder|redacted|x{6}|your[-_]/i.test(token.slice(0, 120)) || new Set(token).size <= 6
}

/** A call, a chain of names, a type: what a program writes where it has no secret of its own. */
function isCode(value: string): boolean {
  return (
    /^[!&*~-]{0,2}[A-Za-z_$@][\w$.]*(?:\(|\[|\?\.|::|->|=>)/.test(value) ||
    /^[!&*~-]{0,2}[A-Za-z_$][A-Za-z_$0-9]*(?:\??\.[A-Za-z_$][A-Za-z_$0-9]{0,40})+[;,!]*$/.test(value) ||
    /^0x[0-9A-Fa-f]{1,8}$/.test(value) ||
    TYPE_LIKE.test(value) ||
    VERSION_OR_DATE.test(value)
  )
}

const TYPE_LIKE =
  /^(?:u?int|float|bytes?|char|varchar|string|base|sha|md|aes|rsa|hs|rs|es|utf|oauth|argon|bcrypt|pbkdf|http|arg|param|value|val|var|tmp|test|line|step|[a-z])[-_]?\d{1,3}$/i

const VERSION_OR_DATE = /^[~^<>=v]{0,2}[0-9]{1,4}(?:[.:/-][0-9x*]{1,4}){1,3}(?:[-+T][\w.:+-]*)?Z?$/

/** Made by a machine: one run of letters and digits without the rhythm of words. */
function isIssued(value: string, clue: Clue): boolean {
  if (!/^[A-Za-z0-9+/=_.~:%|!@-]+$/.test(value) || /^https?:|^[a-z]+:\/\//.test(value)) return false
  if (value.length >= 16) return isRandom(value)
  return clue.env && value.length >= 8 && /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9]+$/.test(value)
}

/**
 * Whether letters and digits follow each other as if drawn by lot: words, camelCase and dated names change
 * between small letters, capitals and digits seldom, drawn characters at every second step.
 */
export function isRandom(value: string): boolean {
  const letters = value.replace(/[^A-Za-z0-9]/g, '')
  if (letters.length < 12) return false
  if (/^[0-9a-f]{24,}$/i.test(letters)) return new Set(letters).size >= 8 && /[0-9]/.test(letters)
  let changes = 0
  for (let i = 1; i < letters.length; i++) {
    if (classOf(letters.charCodeAt(i)) !== classOf(letters.charCodeAt(i - 1))) changes++
  }
  return changes / (letters.length - 1) >= (/[0-9]/.test(letters) ? 0.22 : 0.4)
}

function classOf(code: number): number {
  return code < 58 ? 0 : code < 91 ? 1 : 2
}

function isPath(value: string): boolean {
  return /^(?:\.{0,2}|~)\/|^[A-Za-z]:\\|^https?:\/\//.test(value)
}

/** Only letters, perhaps joined by `-`, `_` or `.`. */
function isWords(value: string): boolean {
  return /^[\p{L}_.:-]+$/u.test(value)
}

/** One plain word that could be a password and hardly anything else. */
function isLoneWord(value: string): boolean {
  return (
    value.length >= 6 &&
    /^[A-Za-z]+$/.test(value) &&
    !/[a-z][A-Z]/.test(value) &&
    !TALK_OF_SECRETS.test(value)
  )
}

const TALK_OF_SECRETS =
  /pass|secret|token|key|auth|cred|^(?:required|optional|string|number|boolean|object|invalid|incorrect|wrong|missing|forgot|forgotten|reset|hidden|default|enabled|disabled|bearer|basic|input|field|unknown|random|prompt|stdin|empty|plain|plaintext|encrypted|hashed|hmac|bcrypt|current|expired|strong|update|change|confirm|external|generic|opaque|opaque)$/i

/**
 * The kind of a secret that only its surroundings gave away. It depends on the value alone, so that one secret
 * has one placeholder in a URL, a shell and a file. Base64 of readable text is as guessable as the text.
 */
export function kindOfValue(value: string): string {
  const issued = value.length >= 20 && /^[A-Za-z0-9+/=_.~:%|-]+$/.test(value) && isRandom(value)
  return issued && !isReadableBase64(value) ? 'secret' : GUESSABLE
}

function isReadableBase64(value: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false
  return /^[\x20-\x7e\r\n\t]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
}
