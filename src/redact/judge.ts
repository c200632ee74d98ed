import { isFormWord } from './form-words.ts'
import { groupedAt } from './groups.ts'
import type { Expectation } from './names.ts'
import { GUESSABLE } from './placeholder.ts'
import { changesOf, isRandom } from './random.ts'
import { anyOf, isStandIn } from './stand-in.ts'

/**
 * How a value is written: in quotes; as `NAME=value` in capitals without spaces, as in a shell or an .env file; as the
 * rest of a line after `name: `, as in YAML; or bare, in code, in a command, in prose. Code may look like `line` or
 * `bare`.
 */
export type Form = 'quoted' | 'env' | 'line' | 'bare'

/** Evidence about a value from its surroundings. */
export interface Clue {
  expected: Expectation
  form: Form
}

/** Whether a value in the place of a secret really is a secret. Stand-ins, most words and code are not. */
export function isSecretValue(written: string, { expected, form }: Clue): boolean {
  // `--secret id=npmrc`: only what is after the sign can be secret.
  const value = plainText(
    form === 'bare' || written.startsWith('id=') ? written.replace(/^[A-Za-z]\w*=(?=[\w./-])/, '') : written,
  )
  if (/\s/.test(value))
    return groupedAt(value, 0) === value || (expected !== 'key' && form !== 'bare' && isPhrase(value))
  if (value.length < 5 || /^[a-z]{2,4}\d{1,2}(?:\|[a-z]{2,8}\d{0,2})*$/.test(value)) return false
  if (isStandIn(value) || isCode(value, form)) return false
  if (expected === 'key') return isKey(value, form)
  if (expected === 'issued') return isIssued(value, form)
  if (isPath(value)) return isRandom(value)
  // `secret: root-ca5` of Kubernetes is the name of a secret.
  if (expected === 'secret' && form === 'line' && /^[a-z]+(?:-[a-z0-9]{1,12})+$/.test(value))
    return isRandom(value)
  if (/^[0-9]+$/.test(value)) return value.length >= 6 && (form === 'quoted' || form === 'env')
  return isWords(value) ? isPasswordOfWords(value, expected, form) : true
}

/** Whether a value is random enough for a key of any kind. In code without quotes, hex is more often a hash. */
function isKey(value: string, form: Form): boolean {
  if (!isRandom(value) || !/^[A-Za-z0-9+/=_-]+$/.test(value)) return false
  return /[G-Zg-z]/.test(value) || (form !== 'bare' && /^[0-9a-f]{32,128}$|^[0-9A-F]{32,128}$/.test(value))
}

/**
 * Whether words with spaces are a phrase as people make passwords of them: at least four words, small letters, none of
 * those that every sentence has.
 */
export function isPhrase(value: string): boolean {
  return (
    /^[a-z]{3,12}(?:\d{0,4}[ ][a-z]{3,12}){3,11}[!?.]?\d{0,4}$/.test(value) &&
    !SENTENCE.test(value) &&
    !isFormWord(value)
  )
}

/** Words of sentences in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish. */
const SENTENCE = new RegExp(
  `(?:^| )(?:${[
    'the|and|for|you|your|are|was|not|has|have|had|can|will|with|from|this|that|must|should|please|enter|use|used|using|when|here|there|all|any|its|but|may|new|only|user|users|name|file|value|string|default|required|provide|provided|login|account|access|code|than|then|into|per|out|set|get|one|two',
    'von|der|die|das|und|ist|nicht|ein|eine|mit',
    'les|des|est|pas|pour|dans|votre|une',
    'los|las|con|por|para|una',
    'del|sua|seu|nao|che|non|della',
    'het|een|van|niet|voor|jest|nie',
  ].join('|')})(?: |$)`,
)

/** Whether words without a digit are hardly anything but a password: some run together, or three and more with hyphens. */
function isUnmistakablePhrase(value: string): boolean {
  return (
    (/^[a-z]{13,40}$/.test(value) && !DERIVED.test(value)) ||
    (/^[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,}){2,6}$/.test(value) &&
      /^[a-z-]+$|^(?:[A-Z][a-z]+-)+[A-Z][a-z]+$/.test(value) &&
      !NAME_OF_A_THING.test(value) &&
      !DERIVED.test(value))
  )
}

/** Long words of a language, and what programs call things. */
const DERIVED =
  /(?:tions?|ings?|ments?|ables?|ibles?|ness|ity|isms?|i[sz]ed|ated|ally|ences?|ances?|less|ful|ously|ively|ability)$|^(?:auth|admin|config|verif|valid|encr|decr|cert|integr|implem|environ|placehold|user|client|server|system|default|connect|interna|kuber|micros|postgres|elastic|super|under|what|some|every|any|case|non|not|never|always|self|built|end|one|two|pre|post|multi|well|human|machine|plain|clear|long|short|auto)-?/

/** The value without the escapes of a URL or of JSON, and without what Spring writes before a password of its own. */
function plainText(value: string): string {
  if (!/[%\\{]/.test(value)) return value
  return value
    .replace(/^\{noop\}/, '')
    .replace(/%[2-7][0-9A-Fa-f]/g, decodeURIComponent)
    .replace(/\\{1,8}u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/**
 * Whether a value is certainly not a word, a name, a number or code, whatever surrounds it. This decides in prose and
 * tables, which use `password` and `token` for many things.
 */
export function isConvincing(value: string, expected: Expectation): boolean {
  if (value.length < 8 || /[\s"'`\\]|^[\w.]+=[^=]/.test(value) || /^[0-9]+$/.test(value)) return false
  if (isStandIn(value) || isPath(value) || isCode(value, 'bare')) return false
  if (value.length >= 16 && /^[A-Za-z0-9+/=_.~:%|-]+$/.test(value) && isRandom(value)) return true
  if (expected === 'issued' || expected === 'key') return isIssued(value, 'bare') || isShortRandom(value)
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^\p{L}0-9_./:,-]/u]
  return classes.filter((kind) => kind.test(value)).length >= 3 && !/[()[\]{}<>]/.test(value)
}

/**
 * Whether a value is a password where the words around it leave no doubt that one follows: "the password is …", a
 * column of passwords. A name with a number is enough then.
 */
export function isTold(value: string, expected: Expectation): boolean {
  if (!/[0-9]/.test(value) && isFormWord(value)) return false
  if (isConvincing(value, expected) || groupedAt(value, 0) === value) return true
  if (expected !== 'password' || value.length < 6 || value.length > 100) return false
  if (
    /[\s"'`\\()[\]{}<>]|^[\w.]+=|^:|^[a-z]+#[A-Z]|\+\+/.test(value) ||
    isStandIn(value) ||
    isPath(value) ||
    isFormWord(value)
  )
    return false
  if (!DOTTED.test(value) && isCode(value, 'bare')) return false
  if (/[0-9]/.test(value)) return /[\p{L}]{3}|[^\w.:/,+-]/u.test(value) && !ALGORITHM.test(value)
  return isUnmistakablePhrase(value) || /^(?=.*[a-z])(?=.*[A-Z])(?=.*[!@#$%^&*?~]).{8,40}$/.test(value)
}

/** `Sommer.Igel42`: no field of a variable begins with a capital and ends so. */
const DOTTED = /^\p{Lu}\p{Ll}+\.\p{Lu}\p{Ll}+\d{2,4}$/u

/** Whether a value is made as people make passwords: words, perhaps with signs, and then two digits and more. */
export function isInventedPassword(value: string, expected: Expectation): boolean {
  return expected !== 'key' && INVENTED_PASSWORD.test(value) && isTold(value, 'password')
}

const INVENTED_PASSWORD =
  /^\p{L}{4,30}[!_.&$#%-]?\d{2,4}[!?#$%&*]?$|^\p{L}{3,12}(?:[-_.!]\p{L}{3,12}){1,4}[-_.]?\d{2,4}$/u

/** What sentences say of a password: `sha256-hashed`, `base64`, `utf8`. */
const ALGORITHM = anyOf('i', [
  /^(?:sha|md|base|b|utf|pbkdf|argon|bcrypt|scrypt|aes|rsa|x|oauth|http|ipv|pkcs|ed|win|web|es|python|node|v)-?\d/,
  /(?:\d|-)(?:bit|byte|char|letter|digit|encoded|hashed|st|nd|rd|th|days?|hours?|years?)s?$/, // `8-letter`
  /^\d+(?:[-–]\w+)?$/, // `12-16`
  /^[A-Z]{2,8}-\d+$/, // `SEC-12`
])

/**
 * Whether the value is a call, a chain of names or a type: code has these where it contains no secret itself. In a
 * value that is quoted, or fills its line, the brackets of a call must close or open at the end.
 */
function isCode(value: string, form: Form): boolean {
  return (
    (form === 'bare' ? BARE_CODE : CODE).test(value) ||
    (form === 'bare' && NAME_OF_SECRET.test(value)) ||
    (CHAIN.test(value) &&
      !value.split('.').some(isRandomPart) &&
      (form === 'bare' || form === 'line' || !isPasswordLike(value, form))) ||
    TYPE_LIKE.test(value) ||
    VERSION_OR_DATE.test(value) ||
    (NUMBER.test(value) && !/^[0-9]+$/.test(value))
  )
}

const IN_ANY_FORM = [
  /^-?0x(?:[0-9A-Fa-f]{1,8}|[0-9A-Fa-f]{40})$/, // `0xff`
  /^!!?[a-z][A-Za-z]*$/, // `!!token`
  /^(?:String|ID|Int|Boolean)!$/, // types of GraphQL
  /^[a-z][A-Za-z.#]*\([A-Za-z]*$/, // `getToken(user`
  /^[a-z]\w*\/\d$/, // a function of Erlang: `token/0`
]

const BARE_CODE = anyOf('', [
  /^[!&*~?\\-]{0,2}[A-Za-z_$@.][\w$.:]*(?:\(|\[|\{|\?\.|->|=>)/, // `getToken(`, `env[`, `user?.`, `t=>`
  /^[\w$.]+::/, // `Auth::token`
  /^[[({]/, // `{password}`
  /^[A-Za-z.]+(?:\?|\+\+)$/, // `user.token?`
  /^[a-z]\w*(?:\.[a-z]\w*)+[:=][a-z]+\./, // `a.token=b.token`
  /^\w+_t$/, // `size_t`
  /^\w+(?:\.\w+)*\(/, // `2.times(`
  /^\?(?:[A-Z][A-Z0-9_]*|[a-z_]+)$/, // `?TOKEN`
  /^!\w+:!/, // `!token:!`
  /^[A-Z]\w*#\??[A-Za-z]\w*[.{]/, // a record of Erlang: `State#state.token`
  /^[A-Za-z]+&[A-Za-z]+$/, // `user&password`
  /^\d+\+[a-z_]+$/, // `1+offset`
  /\\(?:x[0-9a-f]{2}|[abfv])/, // `\x1b`
  ...IN_ANY_FORM,
])

const CODE = anyOf('', [
  /^[!&*~-]{0,2}[A-Za-z_$@][\w$.]*(?:\(.*\)|\[.*\])[;,]?$/, // `getToken(user);`
  /^[\w$.]+[([]$/, // `getToken(`
  /^[\w$]+(?:\.[\w$]+)+\(\)\./, // `user.get().token`
  /=>/, // `t => t.token`
  /^\w+::\w/, // `Auth::token`
  /^[a-z_]+#[a-z_]+$/, // `sessions#token`
  ...IN_ANY_FORM,
])

/** `user?.login.token;` */
const CHAIN = /^(?:\w=)?[!&*~@-]{0,2}[A-Za-z_$][A-Za-z_$0-9]*(?:\??\.#?[A-Za-z_$][A-Za-z_$0-9]{0,40})+[;,!]*$/

/** Whether no variable is called so: a part of a token with dots. */
function isRandomPart(part: string): boolean {
  return part.length >= 20 && /[0-9]/.test(part) && isRandom(part)
}

/** The name of a class or variable, such as Ed25519PublicKey. */
const NAME_OF_SECRET =
  /^[*&!]{0,2}_?[A-Za-z][A-Za-z0-9_]*(?:[A-Za-z0-9](?:Key|Token|Secret|Password|Pwd|Credentials?)|_(?:key|token|secret|pass(?:word)?(?:_hash)?)_?\d?)$|^(?:[Ss]ecret|[Pp]ass(?:word)?|[Tt]oken|pw|pwd)\d{1,2}$/

const TYPE_LIKE =
  /^(?:scram[-_])?(?:u?int|float|bytes?|char|varchar|string|base|sha|hmac-?sha|md|aes|rsa|hs|rs|es|utf|oauth|argon|bcrypt|pbkdf|http|arg|param|value|val|var|tmp|test|line|step|[a-z])[-_]?\d{1,3}$/i

/**
 * A number as JSON writes it: a placeholder in its place would make the JSON invalid. A value of digits only may be a
 * PIN.
 */
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?$/i

const VERSION_OR_DATE = /^[~^<>=v]{0,2}[0-9]{1,4}(?:[.:/-][0-9x*]{1,4}){1,3}(?:[-+T][\w.:+-]*)?Z?[.)]{0,2}$/

/** `<prefix>-<uuid>`: in its groups, pairs of hex digits look like pairs of letters of words. */
const UUID_IN = /(?:^|[-_.:])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a machine made the value: its letters and digits do not follow each other as in words. */
function isIssued(value: string, form: Form): boolean {
  if (/^https?:|^[a-z]+:\/\/|\\[(|.)]/.test(value)) return false
  const letters = form === 'quoted' || form === 'env' ? /^[\x21-\x7e]+$/ : /^[A-Za-z0-9+/=_.~:%|!@-]+$/
  if (isPasswordLike(value, form)) return true
  if (form !== 'bare' && /^[a-z]{13,40}$/.test(value))
    return isUnmistakablePhrase(value) && !isFormWord(value)
  if (!letters.test(value)) return false
  if (value.length >= 16) return isRandom(value) || UUID_IN.test(value)
  if (form === 'env' && value.length >= 8 && /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9]+$/.test(value))
    return true
  return isShortRandom(value)
}

/** Whether small letters, capitals, digits and signs are together as in a password, and hardly in a name or in code. */
function isPasswordLike(value: string, form: Form): boolean {
  return (
    /^[A-Za-z0-9!@#%^*_+?.~-]{8,40}$/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /[0-9]/.test(value) &&
    (form === 'bare' ? /[!@#%^?~]|[*+]$/.test(value) : /[!@#%^*+?~]/.test(value) || changesOf(value) >= 0.3)
  )
}

/** Whether at least ten letters and digits alternate too often for a name with a number. */
function isShortRandom(value: string): boolean {
  return (
    value.length >= 10 &&
    /^[A-Za-z0-9_-]+$/.test(value) &&
    value.replace(/[^0-9]/g, '').length >= 2 &&
    /^[^A-Za-z]*[A-Za-z][^0-9]*[0-9][^A-Za-z]*[A-Za-z]/.test(value) &&
    changesOf(value.replace(/[^A-Za-z0-9]/g, '')) >= 0.4
  )
}

function isPath(value: string): boolean {
  return PATH.test(value)
}

const PATH = anyOf('', [
  /^(?:\.{0,2}|~)\//, // `../keys`
  /^\w+:\\/, // `C:\keys`
  /^~?\\{1,4}[\w.-]+\\/, // `\\server\keys`
  /^[a-z][a-z0-9+.-]*:\/\/[\w./-]*$|^https?:\/\//, // `redis://host`
  /^[\w.-]+\/[\w./-]+\.[a-z]{1,5}(?::\d{1,6}(?:-\d{1,6})?)?$/, // `src/keys.ts:12`
])

/** Only letters, perhaps joined by signs, and what other alphabets have between them. */
function isWords(value: string): boolean {
  return /^[A-Za-z_.:|/\u0080-\uffff-]+$/.test(value)
}

/**
 * Whether words could be a password and hardly anything else: one plain word, a word with capitals inside, or words
 * joined by hyphens. Outside of quotes and .env files, a word is too often a type or prose.
 */
function isPasswordOfWords(value: string, expected: Expectation, form: Form): boolean {
  if (value.length < 6 || isFormWord(value)) return false
  if (form === 'bare')
    return (
      expected !== 'issued' &&
      (isUnmistakablePhrase(value) || (/^[A-Za-z]{8,}$/.test(value) && changesOf(value) >= 0.45))
    )
  if (/^[A-Za-z]+$/.test(value) && !/[a-z][A-Z]/.test(value))
    return form !== 'line' || isUnmistakablePhrase(value)
  if (expected === 'secret' && form !== 'env') return false
  if (/^[A-Za-z]{8,}$/.test(value)) return !TYPE_NAME.test(value)
  // Two words with a hyphen are more often the name of something.
  const phrase =
    expected === 'password' ? /^[A-Za-z]{2,}(?:-[A-Za-z]{2,})+$/ : /^[A-Za-z]{2,}(?:-[A-Za-z]{2,}){2,}$/
  return phrase.test(value) && !NAME_OF_A_THING.test(value)
}

const TYPE_NAME =
  /(?:Str|String|Text|Field|Type|Value|Input|Model|Schema|Param|Params|Buffer|Bytes|Array|Object|Number|Ref|Props|Config|Options|Class|Error|Exception|Data|Info|Handler|Provider|Manager|Service|Event|State|Required|Invalid)$/

const NAME_OF_A_THING =
  /(?:^|-)(?:app|api|db|svc|service|config|prod|dev|staging|test|tls|cert|input|field|label|form|button|icon|error|required|invalid|not|is|manager|store|name|id)(?:-|$)/i

/**
 * The kind of a secret that only its surroundings gave away. The kind depends only on the value, so that one secret has
 * the same placeholder in a URL, a shell and a file. Base64 of readable text is as guessable as the text.
 */
export function kindOfValue(value: string): string {
  const issued = value.length >= 20 && /^[A-Za-z0-9+/=_.~:%|-]+$/.test(value) && isRandom(value)
  return issued && !isReadableBase64(value) ? 'secret' : GUESSABLE
}

function isReadableBase64(value: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false
  return /^[\x20-\x7e\r\n\t]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
}
