import { GUESSABLE } from './placeholder.ts'

/** What a name says about its value: a `password` is anything but a word, something `issued` was made by a machine. */
export type Expectation = 'password' | 'issued'

/** A value as it stands in a text, and what its surroundings say about it. */
export interface Clue {
  expected: Expectation
  quoted: boolean
  /**
   * The form is `NAME=value` in capitals without spaces, as in a shell or an .env file. Code does not look like this.
   */
  env: boolean
}

/**
 * What the name of a variable, field, header or flag says about its value, in any case style. Most names say nothing:
 * `token_count`, `passwordless`, `next_page_token`, `public_key`.
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

/** Whether a value found where a secret is expected really is one. Stand-ins, words and code are not. */
export function isSecretValue(value: string, clue: Clue): boolean {
  if (value.length < 5 || /\s/.test(value) || isStandIn(value) || isCode(value)) return false
  if (clue.expected === 'issued') return isIssued(value, clue)
  if (isPath(value)) return isRandom(value)
  if (/^[0-9]+$/.test(value)) return value.length >= 6 && (clue.quoted || clue.env)
  if (isWords(value)) return (clue.quoted || clue.env) && isLoneWord(value)
  return true
}

/** Whether a person wrote the value in place of a secret: an example, a variable, a mask, or our own placeholder. */
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

/** Like `isStandIn` but stricter, for a token of known shape: its random letters may well form a short word. */
export function isExample(token: string): boolean {
  return /example|placeholder|redacted|x{6}|your[-_]/i.test(token.slice(0, 120)) || new Set(token).size <= 6
}

/**
 * Whether the value is a call, a chain of names or a type: a program writes these where it has no secret of its own.
 */
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

/** Whether a machine made the value: it is one run of letters and digits without the rhythm of words. */
function isIssued(value: string, clue: Clue): boolean {
  if (!/^[A-Za-z0-9+/=_.~:%|!@-]+$/.test(value) || /^https?:|^[a-z]+:\/\//.test(value)) return false
  if (value.length >= 16) return isRandom(value)
  return clue.env && value.length >= 8 && /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9]+$/.test(value)
}

/**
 * Whether letters and digits follow each other at random. Words, camelCase and names with dates seldom change between
 * small letters, capitals and digits; random characters change at every second step.
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

/** Whether the value is one plain word that could be a password and hardly anything else. */
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
 * The kind of a secret that only its surroundings gave away. The kind depends on the value alone, so that one secret
 * has the same placeholder in a URL, a shell and a file. Base64 of readable text is as guessable as the text.
 */
export function kindOfValue(value: string): string {
  const issued = value.length >= 20 && /^[A-Za-z0-9+/=_.~:%|-]+$/.test(value) && isRandom(value)
  return issued && !isReadableBase64(value) ? 'secret' : GUESSABLE
}

function isReadableBase64(value: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false
  return /^[\x20-\x7e\r\n\t]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
}
