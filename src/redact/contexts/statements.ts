import { isConvincing, isInventedPassword, isSecretValue, isTold, kindOfValue } from '../judge.ts'
import type { Span } from '../scan.ts'
import { isStandIn } from '../stand-in.ts'
import { captured } from './credentials.ts'
import type { NamedPlace } from './named-place.ts'
import { OPENING } from './values.ts'

/**
 * How sure a place is decides which question is asked about a value (judge.ts): `isSecretValue` where only a secret can
 * stand, `isTold` after words that announce one, `isInventedPassword` where it must look like a person's, `isConvincing`
 * where anything may stand.
 */

/** A password as a whole string between quotes. */
const STRING = `[rbfuN]?${OPENING}([^"'\\\\\\n]{4,200})(?=\\\\{0,40}["'])`

/** `CREATE USER me IDENTIFIED BY '…'` */
const IDENTIFIED = new RegExp(`identified by (?:password )?${STRING}`, 'iy')
/** Oracle needs no quotes. */
const IDENTIFIED_BARE = /identified by ((?=[^\s;]*[0-9])[^\s"'`;,()\\]{5,128})(?=[\s;]|\\|$)/iy

export function identifiedBy(text: string, offset: number): Span | undefined {
  // `the function identified by "repeat"`
  return /\b(?:create|alter|grant)\b/i.test(text.slice(Math.max(0, offset - 200), offset))
    ? (captured(text, offset, IDENTIFIED) ?? captured(text, offset, IDENTIFIED_BARE))
    : undefined
}

/** `SET PASSWORD FOR 'me'@'%' = '…'`, or `= PASSWORD('…')` of older servers. */
const SET_PASSWORD = new RegExp(`password for [^\\s=]{1,100}\\s?=\\s?(?:password\\()?${STRING}`, 'iy')

export function passwordFor(text: string, offset: number): Span | undefined {
  return captured(text, offset, SET_PASSWORD)
}

/** `auth=("me", "…")`, `SetBasicAuth("me", "…")`, `HTTPBasicAuth('me', '…')`. The match begins at `auth`. */
const PAIR = new RegExp(
  `auth(?:entication)?\\s?=?\\s?(?:\\(\\s{0,20}|(?<=basic_auth ))[rbfu]?\\\\{0,40}["'][^"'\\\\\\n]{0,100}\\\\{0,40}["'],\\s{0,20}${STRING}`,
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

/** `login: admin:…`, `creds: admin / …`, `log in with admin/…` */
export const LOGIN_WORDS: readonly string[] = [
  ...['log in', 'login', 'sign in', 'creds', 'credential', 'credentials'].flatMap((word) =>
    [' with ', ' as ', ' is ', ' are ', ': ', ' using '].map((end) => word + end),
  ),
  ...[
    'zugangsdaten',
    'zugang',
    'acceso',
    'accesso',
    'accès',
    'identifiants',
    'credenciales',
    'credenziali',
    'inloggegevens',
    'dati di accesso',
    'dados de acesso',
    'dane logowania',
    'giriş bilgileri',
    'логин/пароль',
    'доступ',
    'wifi',
    'wi-fi',
    'wlan',
    'test login',
    'test user',
    'demo user',
    'zaloguj się',
    'giriş',
  ].flatMap((word) => [`${word}: `, `${word} : `]),
  ...[
    'zugangsdaten sind ',
    'identifiants sont ',
    'credenciales son ',
    'credenziali sono ',
    'credenciais são ',
  ],
]
const LOGIN =
  /(?:log ?in|sign in|login|creds|credentials?|zugang(?:sdaten)?|acceso|accesso|accès|identifiants|credenciales|credenciais|credenziali|inloggegevens|dati di accesso|dados de acesso|dane logowania|giriş bilgileri|логин\/пароль|доступ|wi-?fi|wlan|(?:test|demo) (?:login|user)|zaloguj się|giriş)(?: with| as| is| are| using| sind| sont| sono?| são| ?:) {1,3}(?:[Uu]ser |the )?[`"']?[\w.@+\\-]{1,60}[`"']?(?::| ?[/|] ?|, | and )[`"']?([^\s"'`\\<>]{6,100}?)(?=[.,;)]?(?:\s|["'`\\<]|$))/iy

export function loginPair(text: string, offset: number): Span | undefined {
  // `log in with GitHub/Google1`
  const isLabel = /^\w+:/.test(text.slice(offset, offset + 16))
  return captured(
    text,
    offset,
    LOGIN,
    (value) =>
      isTold(value, 'password') && /[0-9]/.test(value) && (isLabel || /[^\w.-]|[0-9]{2}/.test(value)),
  )
}

/** `me@host.io:…`, `me@host.io / …`. `offset` points at the last dot of the address. */
const MAIL = /\.[a-z]{2,6}`?(?::| ?[/|] )["'`]?([^\s"'`\\<>/|]{8,100}?)(?=[.,;)]?(?:\s|["'`<\\]|$))/iy

export function mailPair(text: string, offset: number): Span | undefined {
  return /(?:^|[\s"'`(<,;|:])[\w.+-]{1,64}@[\w.-]{1,60}$/.test(text.slice(Math.max(0, offset - 126), offset))
    ? captured(
        text,
        offset,
        MAIL,
        (value) =>
          isInventedPassword(value, 'password') ||
          (isConvincing(value, 'password') && /[0-9]/.test(value) && /.[^\w.:-]/.test(value)),
      )
    : undefined
}

/** `INSERT INTO t (name, password) VALUES ('me', '…')`. `start` and `end` are the offsets of the name of the column. */
export function insertedSecret({ text, start, end, expected }: NamedPlace): Span | undefined {
  const before = COLUMNS.exec(text.slice(Math.max(0, start - 300), start))?.[1]
  if (before === undefined) return undefined
  VALUES.lastIndex = end
  if (!VALUES.test(text)) return undefined
  let from = VALUES.lastIndex
  for (let column = before.split(',').length - 1; ; column--) {
    CELL.lastIndex = from
    const cell = CELL.exec(text)
    if (cell === null) return undefined
    from = CELL.lastIndex
    if (column > 0) continue
    const value = cell[2]
    if (value === undefined) return undefined
    const at = cell.index + cell[1]!.length
    return isSecretValue(value, { expected, form: 'quoted' })
      ? { start: at, end: at + value.length, kind: kindOfValue(value) }
      : undefined
  }
}

const COLUMNS = /insert into [^()\n]{1,100}\(([^()]{0,200})$/i
const VALUES = /[^()]{0,200}\)\s{1,20}values\s{0,20}\(/iy
/** A value of a row, in quotes or not, and the comma after it. */
const CELL =
  /(\s{0,20}N?\\{0,8}["'])([^"'\\\n]{0,200})\\{0,8}["']\s{0,20}[,)]|\s{0,20}[^"',()]{1,80}(?:\([^()]{0,80}\))?\s{0,20}[,)]/y

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
const SECURE_STRING = new RegExp(`convertto-securestring (?:-\\w{1,20} ){0,3}${STRING}`, 'iy')

export function secureString(text: string, offset: number): Span | undefined {
  return captured(text, offset, SECURE_STRING) ?? piped(text, offset)
}

/** `"…" | ConvertTo-SecureString` */
function piped(text: string, offset: number): Span | undefined {
  const value = BEFORE_PIPE.exec(text.slice(Math.max(0, offset - 210), offset))
  if (value === null || isStandIn(value[1]!)) return undefined
  const end = offset - value[0].length + 1 + value[1]!.length
  return { start: end - value[1]!.length, end, kind: kindOfValue(value[1]!) }
}

const BEFORE_PIPE = /["']([^\s"'\\$]{4,200})\\{0,8}["'] ?\| ?$/

/** Calls that take a secret, by the place of the secret among the arguments. */
const CALLS: readonly string[] = [
  // The first argument
  'fernet(|pbekeyspec(|secretkeyspec(|cookieparser(|urlsafetimedserializer(|urlsafeserializer(|timedserializer(|messageencryptor.new(|messageverifier.new(|ethers.wallet(|new wallet(|scryptsync(|scrypt(|pbkdf2(|pbkdf2sync(|derivekey(|hmac.new(|new hmacsha256(|hmacsha256(|bcrypt.hash(|bcrypt.hashpw(|password_hash(|new stripe(|new resend(|stripe(|aessiv(|chacha20poly1305(|aesgcm(|telebot(|sendgridapiclient(|symmetricsecuritykey(|keypair.fromsecret(',
  // The second
  '.login(|networkcredential(|pscredential(|usernamepasswordcredential(|usernamepasswordcredentials(|usernamepasswordauthenticationtoken(|passwordauthentication(|jwt.sign(|jwt.verify(|jwt.encode(|jwt.decode(|createhmac(|twilio(|wifi.begin(|username_pw_set(|changeuserpassword(|algoliasearch(|aes.encrypt(|aes.decrypt(|des.encrypt(|des.decrypt(|httpbasicauth(|httpdigestauth(|basic_auth(|basicauth(|setbasicauth(|simple_bind_s(|simple_bind(|.bind(|signinwithemailandpassword(|createuserwithemailandpassword(|emailauthprovider.credential(|.authenticate(|oauthhandler(|oauth1session(|newstaticv4(|newstaticcredentials(|basicawscredentials(|awsbasiccredentials.create(|credentials.basic(|usernamepassword(|createcipheriv(|createdecipheriv(|createcipher(|hmac.new(|hmac.digest(|oci_connect(|mqtt_connect(|set_credentials(|setcredentials(|usercredentials(|new credentials(|basicauthentication(|auth.basic(|authtokens.basic(|passwordcredentials(|signin(|sign_in(|new algoliaclient(|pgp_sym_encrypt(|pgp_sym_decrypt(|login(|hmac_sha256(|encrypt(|decrypt(|openssl_digest(',
  // The third
  'signinwithemailandpassword(|createuserwithemailandpassword(|mysqli(|mysqli_connect(|mysql_connect(|real_connect(|new pdo(|pdo->__construct(|dbi->connect(|drivermanager.getconnection(|getconnection(|pymysql.connect(|mysqldb.connect(|.connect(|plainauth(|new sequelize(|sequelize(|ftp_login(|ssh2_auth_password(|imap_open(|ldap_bind(|openssl_encrypt(|openssl_decrypt(|hash_hmac(|database(|.open(|odbc_connect(|ftplib.ftp(|new ftpclient(|imap.login(|openssl_pbkdf2(',
  // The fourth
  'credentials(|.connect(|imap_tools(|winrm.session(|createconnection(',
]

const CALL_PLACES: ReadonlyMap<string, readonly number[]> = placesOfCalls()

function placesOfCalls(): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [place, words] of CALLS.entries())
    for (const word of words.split('|')) places.set(word, [...(places.get(word) ?? []), place])
  return places
}

/** Begin a call that takes a password at a fixed place. */
export const CALL_WORDS: readonly string[] = [...CALL_PLACES.keys()]

/**
 * `smtp.login("me", "…")`, `new PDO(url, "me", "…")`, `jwt.sign(payload, "…")`, `hmac.new(b"…", body)`: the string at
 * the place where the call takes a secret.
 */
export function callSecret(text: string, offset: number, word: string): Span | undefined {
  // `doDatabaseSetCredentials(` is another call.
  if (/^\w/.test(word) && /\w/.test(text[offset - 1] ?? '')) return undefined
  const places = CALL_PLACES.get(word)!
  let from = offset + word.length
  for (let place = 0; place <= places.at(-1)!; place++) {
    ARGUMENT.lastIndex = from
    const argument = ARGUMENT.exec(text)
    if (argument === null) return undefined
    from = ARGUMENT.lastIndex
    const [, before, value] = argument
    if (!places.includes(place) || value === undefined || !isArgument(value, word)) continue
    const start = argument.index + before!.length
    return { start, end: start + value.length, kind: kindOfValue(value) }
  }
  return undefined
}

/** Whether an argument is a secret. Calls with a name that says little get many things. */
function isArgument(value: string, word: string): boolean {
  if (!isSecretValue(value, { expected: 'password', form: 'quoted' }) || ALGORITHM.test(value)) return false
  if (/^[\w.+-]+@[\w-]+\.[\w.-]+$|^[a-z]+:\/\//i.test(value)) return false
  return COMMON_CALL.test(word)
    ? isInventedPassword(value, 'password') || isConvincing(value, 'password')
    : value.length >= 8 || /[^A-Za-z]/.test(value)
}

const COMMON_CALL =
  /^(?:\.connect|\.open|\.bind|encrypt|decrypt|database|stripe|twilio|scrypt|sequelize|createconnection|getconnection|\.authenticate|signin|sign_in|login|credentials|basicauth|basic_auth|pbkdf2)\($/
const ALGORITHM =
  /^(?:aes|des|rsa|sha|hs|rs|es|md|utf|hmac|pbkdf|bcrypt|crypt|argon|ecdsa|ed|base)[-_]?\d*\b/i

/** An argument up to the comma: a string, perhaps in a call that only changes its type; or anything short. */
const ARGUMENT =
  /(\s{0,20}(?:&|(?:password|passwd|pwd|secret|key)=|\[\]byte\(|(?:new )?[\w.:]{1,30}\()?[rbfuNL@]{0,2}\\{0,8}["'`])([^"'`\\\n]{0,200})\\{0,8}["'`]\)?(?:\.\w{1,20}\([\w."']{0,20}\)){0,2}\s{0,20}(?:,|(?=\)))|\s{0,20}[^"'`,()]{0,80}(?:\([^()\n]{0,80}\))?[^"'`,()\n]{0,20}\s{0,20}(?:,|(?=\)))/y

/** `"…".toCharArray()` of Java: only passwords are kept so. `offset` points at the closing quote. */
export function charArray(text: string, offset: number): Span | undefined {
  const value = BEFORE_ARRAY.exec(text.slice(Math.max(0, offset - 110), offset))?.[1]
  return value !== undefined &&
    value.length >= 8 &&
    isSecretValue(value, { expected: 'password', form: 'quoted' })
    ? { start: offset - value.length, end: offset, kind: kindOfValue(value) }
    : undefined
}

const BEFORE_ARRAY = /"([^"\\\n]{5,100})$/

/** The private keys of accounts in the settings of Hardhat and the like. `offset` points at `accounts`. */
export function walletKeys(text: string, offset: number): Span[] | undefined {
  ACCOUNTS.lastIndex = offset
  if (!ACCOUNTS.test(text)) return undefined
  const spans: Span[] = []
  for (WALLET_KEY.lastIndex = ACCOUNTS.lastIndex; spans.length < 20; ) {
    const key = WALLET_KEY.exec(text)
    if (key === null) break
    const start = key.index + key[1]!.length
    spans.push({ start, end: start + key[2]!.length, kind: kindOfValue(key[2]!) })
  }
  return spans
}

const ACCOUNTS = /"?accounts\\{0,8}["']?\s?[:=]\s?\[/iy
const WALLET_KEY = /([\s,]{0,40}\\{0,8}["'`])((?:0x)?[0-9a-fA-F]{64})\\{0,8}["'`]/y
