import { isFormWord } from './form-words.ts'

/** Whether a person wrote the value in place of a secret: an example, a variable, a mask, or our own placeholder. */
export function isStandIn(value: string): boolean {
  return (
    STAND_IN.test(value) ||
    TICKET.test(value) ||
    new Set(value).size <= 3 ||
    VARIABLE.test(value) ||
    isNamedStandIn(value) ||
    namesExample(value) ||
    (value.length >= 20 && EXAMPLE_TOKEN.test(value.slice(0, 120)))
  )
}

/** The id of a task or a requirement: `T1-PAY-002`. */
const TICKET = /^[A-Z][A-Z0-9]{0,5}(?:-[A-Z]{2,8}){1,2}-\d{1,4}$/

const VARIABLE = anyOf('', [
  /^[A-Z]+(?:_[0-9]?[A-Z]+)+(?:_?\d{1,2})?$/, // `MY_APP_1`
  /^[A-Z][A-Z0-9]*_[A-Z0-9_]+=$/, // `MY_TOKEN=`
  /^(?:[A-Z][A-Z0-9]*_)*(?:API|DB|USER|AUTH)?(?:KEY|TOKEN|SECRET|PASS|PASSWORD|DOMAIN|HOST)$/, // `APIKEY`
])

const STAND_IN = anyOf('i', [
  /(?:\u001b|\\(?:u001b|x1b|033|e))\[/, // a colour: a value with colours was judged without them
  /^(?:vault|urn|hmac-\w+):/, // `vault:secret/db`
  /^[A-Za-z]+&(?:reg|trade|copy);?$/, // `Passport&reg;`
  /^--[a-z]/, // `--password-stdin`
  /^\$ANSIBLE_VAULT;/, // `$ANSIBLE_VAULT;1.1;AES256`
  /^[*][*]\w+[*][*]$/, // `**token**`
  /^\$\w+\{\{|[$#]\{|\{\{[^{}]*\}\}|^\{\{/, // `$x{{`, `${TOKEN}`, `#{token}`, `{{ token }}`
  /^\$\w+:\$\w+$/, // `$USER:$PASS`
  /^</, // `<token>`
  /^\{.*\}$|^\[.*\]$|^\(.*\)$/, // `{token}`, `[token]`, `(token)`
  /^[{[(][\w."'$ ]*$/, // `["token"`
  // `$TOKEN`, `$TOKEN-`, `$this->token`, `pass:$NAME` of openssl, `$env:NAME` of PowerShell
  /^(?:pass:)?\\*\${1,2}(?:\w+:)?[A-Za-z_]\w*(?:(?:-[a-z]{1,20}){0,3}$|-$|->|::|\.[A-Za-z])/,
  /^@[a-z_][a-z0-9_]*@?$/, // `@password`
  /^\.Values\./, // `.Values.token`
  /^\w+=@|@sha256:/, // `token=@file`, `image@sha256:…`
  /^\\?\[FILTERED/, // `[FILTERED]`
  /^(?:password|secret|token|key)[-_]?v?\d{1,2}$/, // `token_v2`
  /^\.\$|^'\$\w+'$/, // `.$token`, `'$token'`
  /^\?[A-Za-z]+$/, // `?token`
  /^#\/|^@[\w-]+\/[\w./-]+$/, // a reference in JSON, a package of npm
  /^[\w-]+(?:\.[\w-]+)*\.(?:pem|key|crt|p12|pfx|jks)$/, // `server.key`
  /^MI\w{2}IjANBgkqhkiG9w|^MIGfMA0GCSqGSIb3|^MFkwEwYHKoZIzj0/, // public keys in base64
  /^LS0tLS1CRUdJTiBD|^SHA256:/, // a certificate in base64, a fingerprint
  /^\(\?|\\[sdw][*+?]/, // patterns: `(?:`, `\d+`
  /^\\+[0-9a-f]{3,4}$/, // a sign of an icon font: `\f084`
  /^(?:npm|min|max):|^required\|/, // a version in a lock file, rules of a form
  /^&#?[\w.]+[-;]?(?:\{\w*)?$/, // `&amp;`
  /^@\{|^%\w+\[|^\$\w+\|/, // `@{token}`, `%env[`, `$token|`
  /^pk_(?:test|live)_/, // a public key of Stripe
  /\$\(|%\d\$[sd]|%\(\w+\)|%\{\w|^%[\w().:]+%?$/, // `$(token)`, `%1$s`, `%(token)s`, `%{token}`, `%TOKEN%`
  /<[a-z _-]+>/, // `my-<name>`
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/, // a colour: `#ff8800`
  /x{4}|\*{3}|\.{3}|…|•{2}|0{7}|#{4}/, // a mask
  /placeholder|redacted|changeme|change[-_]me|replace[-_]?me/, // also our own placeholder, `[REDACTED:`
  /example\.(?:com|org|net)/,
  /(?:^|[-_.])(?:dummy|fixme|todo|fake)(?:$|[-_.])/, // `fake-token`
  /^(?:\w+\.)+\w+@[0-9a-f]{4,8}$/, // an object of Java: `java.lang.Object@1b6d3586`
  /^\$\w+\/[\w/-]+$/, // `$HOME/token`
  /[-_]here$|^(?:[a-z]+\d{0,3}[-_]){1,4}secret$/, // `token-here`, `my-app-secret`
  /^(?:[01]|true|false|yes|no|on|off)(?:[/|](?:[01]|true|false|yes|no|on|off))+$/, // `true|false`
  /^(?:null|none|nil|undefined|true|false|password|passwd|passphrase|pass|pwd|secret|token|key|user|test|sample)['">)]?$/,
])

/**
 * A stand-in such as `your-token`, `my_password_1` or `insertkey` begins with a word such as `your` or `insert`, and
 * other words follow. `MyDogRex2019!` and a phrase of four words are passwords all the same.
 */
function isNamedStandIn(value: string): boolean {
  if (!NAMED_STAND_IN.test(value)) return false
  if (isFormWord(value)) return true
  return !/[a-z][A-Z]/.test(value) && value.split(/[-_ ]/).length < 4
}

/**
 * Whether the value says that it is an example: words such as `example-key-1`, or a token that contains `example`.
 * `Example-Corp-2025!` is a password.
 */
function namesExample(value: string): boolean {
  if (!/example/i.test(value)) return false
  return (
    /^[a-z]+(?:[-_./:@%][a-z]+)*[-_]?\d{0,3}$/i.test(value) ||
    (value.length >= 20 && /^[\w+/=.~:%|-]+$/.test(value))
  )
}

/** The sign between two words is required: otherwise the pattern could split each word in many ways. */
const NAMED_STAND_IN =
  /^(?:your|my|the|some|any|insert|enter|put|add|fake|sample)[-_ ]?[a-z]+(?:[-_ ][a-z]+){0,11}[-_ ]?\d{0,3}$/i

/** Like `isStandIn` but stricter, for a token of known shape: its random letters may well form a short word. */
export function isExample(token: string): boolean {
  const start = token.slice(0, 120)
  return /example/i.test(start) || EXAMPLE_TOKEN.test(start) || new Set(token).size <= 6
}

/**
 * Parts of tokens that people invent for an example. The last three are base64 of `{"sub":"1234567890` (from the token
 * of jwt.io), `user:pass` and `Aladdin:open`.
 */
const EXAMPLE_TOKEN =
  /placeholder|redacted|x{6}|your[-_]|fake|dummy|abcdefghij|0123456789|1234567890|eyJzdWIiOiIxMjM0NTY3ODkw|dXNlcjpwYXNz|QWxhZGRpbjpvcGVu/i

/** One pattern for several, which is faster than one after the other. Each has an example beside it. */
export function anyOf(flags: string, patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
