/**
 * What kind of value a name announces. `password`: a person may have made it up. `secret`: the same, but the name may
 * also refer to a place where a secret is kept. `issued`: a machine made it. `key`: it may be any key, so the value has
 * to look random.
 */
export type Expectation = 'password' | 'secret' | 'issued' | 'key'

/**
 * The kind of value that the name of a variable, field, header or flag announces, in any case style, or as words. Other
 * names announce no secret: `token_count`, `passwordless`, `next_page_token`, `public_key`.
 */
export function expectationOf(name: string): Expectation | undefined {
  if (KNOWN.has(name)) return KNOWN.get(name)
  if (KNOWN.size === MAX_KNOWN) KNOWN.clear()
  const expected = expectationOfNew(name)
  if (name.length <= 100) KNOWN.set(name, expected)
  return expected
}

/** A text repeats its names, and each of them costs a dozen searches. */
const KNOWN = new Map<string, Expectation | undefined>()
const MAX_KNOWN = 1000

function expectationOfNew(name: string): Expectation | undefined {
  const words = name
    // A `&` as JSON writes it: `\u0026password=`.
    .replace(/^u0026/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[.:\-_ ]+/g, '_')
    .replace(
      /(?:_?\d{1,2}|_(?:v\d{1,2}|base|prod|prd|production|dev|test|staging|stage|stg|uat|qa|ci|live|value|plain|raw|old|new|backup|primary|secondary|main|legacy|ro|rw))$/,
      '',
    )
  // Consul and Vault; elsewhere `secretId` is the name of a secret.
  if (/(?:SecretID|secret_id|SECRET_ID)$/.test(name)) return 'issued'
  const [, expected] = ENDINGS.find(([ending]) => ending.test(words)) ?? []
  // A constant: `STRIPE_KEY`.
  return expected === 'key' && /_KEY\d*$/.test(name) ? 'issued' : expected
}

/** A field that is only called `key` has a secret where an account or a kind of credentials is beside it. */
export const ACCOUNT_BESIDE =
  /(?:user(?:_?name)?|account|client_?id|access_?key_?id|jwt|hmac|credentials?|licen[cs]e|api|auth)["']?\s{0,3}[:={][^\n]{0,80}\n?[^\n]{0,40}$/i

/** What a name announces by its last words. The first pattern that matches counts. */
const ENDINGS: readonly [RegExp, Expectation | undefined][] = [
  // Labels of a page, which no person typed as a value: `forgotPassword: 'Forgot?'`.
  [
    /(?:^|_)(?:forgot|forgotten|lost|show|hide|toggle|invalid|wrong|incorrect|missing|is|has|not)_(?:password|passwd|passphrase|passcode|pwd|secret|token)$/,
    undefined,
  ],
  [
    /(?:pass_?word|passwd|pass_?phrase|passwort|passord|pass_?code)$|(?:pwd|(?:^|_)pre_?shared_?(?:key|secret)|(?:^|_)(?:(?:db|usr|user|root|admin|mysql|pg|ftp|smtp|mail|ldap|wifi)?pass|pw|pword|psk))$/,
    'password',
  ],
  [/(?:^|_)(?:authtok|pepper|pass_?words?_?salt|cleartext|psk_?secret|mdp|chap_?secret)$/, 'password'],
  [/^_?(?:requirepass|masterauth|bindpw|rootpw|sshpass|(?:src|dest|new)?(?:key|store)pass)$/, 'password'],
  [
    /(?:^|_)(?:salt|pin_?code|user_?pin|so_?pin|validation_?key|decryption_?key|(?:session|cookie|token|jwt|url)_?signing|otp_?seed|totp_?seed)$/,
    'issued',
  ],
  [/secret(?:o|_string)?$/, 'secret'],
  [/(?:^|_)(?:secret|signing|encryption|master)_?key$/, 'issued'],
  // The place where a list goes on (OData writes `%24skiptoken`), and the signs of a language model.
  [
    /(?:^|_)(?:24skip|skip|next|prev|previous|page|paging|pagination|continuation|cursor|sync|cancel|cancellation|stop|pad|eos|bos|unk|mask|sep|special|per|max|min|total|input|output|start|end|first|last|new|current|(?:next|prev|previous)page|public_?key)_?token$/,
    undefined,
  ],
  [/token$/, 'issued'],
  [/(?:^|_)(?:auth|authorization|credentials?|pat|dsn)$|api_?key$/, 'issued'],
  [
    /(?:public|publishable|primary|foreign|cache|sort|partition|unique|idempotency|registry|row|lookup|object|storage|query|hash|etag|dedupe|dedup|fingerprint|react|element|list|item|map|dict|index|s3|blob|file|path|config|setting|translation|i18n|event|node|tree|host|ssh|group|the|a|this|that|each|any|same|one|by|of|for|artifact|state|store|merge|commit|job|task|thread|message|chunk|page|frame|socket|short|long|old|new|first|last|next)_?key$/,
    undefined,
  ],
  [
    /(?:access|secret|private|auth|account|signing|encryption|master|service|shared|license|admin|deploy|subscription|functions?|webhook|bot|session|jwt|hmac|aes|crypto|app|application|client|integration|server|role|recovery|setup|production|staging)_?key$/,
    'issued',
  ],
  [/[a-z0-9]_key$/, 'key'],
]

/** What the items of a list of this name are: `api_keys`, `passwords`. */
export function expectationOfItems(name: string): Expectation | undefined {
  return /[a-z]s$/i.test(name) ? expectationOf(name.slice(0, -1)) : undefined
}

/**
 * Returns the whole name around `offset`, where one of the trigger's words is. The name may begin before `offset`, and
 * ends at `end`. `words` is the name with up to three words before it on the line, because only the whole of `AWS
 * Secret Access Key` announces a secret.
 */
export function namesAt(
  text: string,
  offset: number,
  end: number,
): { start: number; name: string; words: string } {
  const [before, earlier] = beforeAt(text, offset)
  const name = before + text.slice(offset, end)
  return { start: offset - before.length, name, words: earlier + name }
}

function beforeAt(text: string, offset: number): [string, string] {
  BEFORE.lastIndex = offset
  const [, earlier = '', before = ''] = BEFORE.exec(text)!
  // The letter of an escape does not belong to a name: `\npassword`.
  const escapeLength = /^[nrt]/.test(before) && text[offset - before.length - 1] === '\\' ? 1 : 0
  return [before.slice(escapeLength), escapeLength === 1 ? '' : earlier]
}

const BEFORE = /(?<=((?:(?<![A-Za-z0-9])[A-Za-z0-9]{1,20}[ :]){0,3})([A-Za-z0-9_.-]{0,60}))/y
