import type { Expectation } from '../names.ts'
import type { Span } from '../scan.ts'

/** Words for a password that end a compound: `Datenbankkennwort`. */
const ENDINGS =
  'kennwort|losungswort|wachtwoord|lösenord|adgangskode|passord|lykilorð|salasana|salasõna|zugangscode|wachtwoordzin'.split(
    '|',
  )
/** Words for a password in other languages, as a person or a form writes them before it. */
const PASSWORDS = spaced(
  'mot de passe|mdp|contraseña|contrasena|contrasenya|contrasinal|senha|palavra passe|parola|parolă|parole|hasło|heslo|lozinka|geslo|jelszó|şifre|slaptažodis|mật khẩu|kata sandi|nenosiri|пароль|парола|лозинка|κωδικός|كلمة المرور|كلمة السر|סיסמה|סיסמא|הסיסמה|पासवर्ड|รหัสผ่าน|parool|code pin|clave de acceso|код доступа|пин-код|пинкод|passfras',
)
/** Words for a secret key. Those for a key alone are said of too many things. */
const KEYS = spaced(
  "geheimer schlüssel|geheimes schlüssel|geheime sleutel|geheimer sleutel|api schlüssel|api schluessel|api sleutel|clé secrète|clé secrete|cle secrete|clé privée|clé api|cle api|clé d'api|clave secreta|clave privada|clave api|clave de api|chave secreta|chave privada|chave api|chave de api|chiave segreta|chiave privata|chiave api|секретный ключ|приватный ключ|закрытый ключ|ключ api|токен|tajný klíč|tajny klucz|klucz api|anahtarı|api anahtarı|api-nyckel|api-nøkkel|kulcs|api ключ|api-ключ",
)
/** Words that are said of many things, too: only a convincing value makes them a label. */
const VAGUE =
  'geheimnis|schlüssel|schluessel|clave|chave|chiave|clé|segredo|segreto|sekret|секрет|ключ|jeton|klucz|klíč|nyckel|nøkkel|nøgle|avain|sleutel|anahtar'.split(
    '|',
  )
/** Languages that write no spaces between words. */
const UNSPACED_PASSWORDS =
  'パスワード|パスフレーズ|パスコード|暗証番号|合言葉|密码|密碼|口令|비번|비밀번호|패스워드|암호'.split('|')
const UNSPACED_KEYS =
  'apiキー|アクセスキー|api 키|api키|액세스 키|访问密钥|密钥|密鑰|秘密鍵|令牌|トークン|シークレット|비밀키|토큰|시크릿'.split(
    '|',
  )
const UNSPACED = [...UNSPACED_PASSWORDS, ...UNSPACED_KEYS]

const LABELS = [...ENDINGS, ...PASSWORDS, ...KEYS, ...VAGUE, ...UNSPACED]

/** The labels, as the search for secrets looks for them. */
export const LABEL_WORDS: readonly string[] = LABELS

const KEY_LABELS = new Set([...KEYS, ...VAGUE, ...UNSPACED_KEYS])
const COMPOUND = new Set([...ENDINGS, ...UNSPACED])

/** The words of a label as people write them, and as names of variables join them. */
function spaced(labels: string): string[] {
  return labels
    .split('|')
    .flatMap((label) =>
      label.includes(' ') ? ['', ' ', '_', '-', '.'].map((gap) => label.replaceAll(' ', gap)) : label,
    )
}

/** Letters of most alphabets, without the signs between them. */
export const LETTERS = 'A-Za-z0-9\\u00c0-\\u024f\\u0370-\\u1fff\\u3005-\\u3007\\u3040-\\ud7ff'
const LETTER = new RegExp(`[${LETTERS}]`)

/** Whether a label is of a language that writes no space after it. */
export function isUnspaced(label: string): boolean {
  return UNSPACED.includes(label.toLowerCase())
}

/** What the label `literal` at `offset` announces. Undefined in the middle of another word: `desenhar`. */
export function expectationOfLabel(text: string, offset: number, literal: string): Expectation | undefined {
  const before = text[offset - 1] ?? ''
  const isWord =
    !LETTER.test(before) ||
    COMPOUND.has(literal.toLowerCase()) ||
    (/\p{Lu}/u.test(literal[0]!) && /[\p{Ll}\d]/u.test(before)) ||
    // An escaped line break, or `-D` of Java.
    /\\[nrt]$|-D$/.test(text.slice(Math.max(0, offset - 2), offset))
  if (!isWord) return undefined
  return KEY_LABELS.has(literal.toLowerCase()) ? 'secret' : 'password'
}

/** Whether a label is said of many things, too. */
export function isVague(label: string): boolean {
  return VAGUE.includes(label.toLowerCase())
}

/** `Unseal Key 1: …` of Vault. */
const UNSEAL_KEY = /unseal key(?: \d{1,2})?: {0,4}([A-Za-z0-9+/]{40,}={0,2})/iy

/** Finds a key that unseals a vault. */
export function unsealKey(text: string, offset: number): Span | undefined {
  UNSEAL_KEY.lastIndex = offset
  const key = UNSEAL_KEY.exec(text)?.[1]
  return key === undefined
    ? undefined
    : { start: UNSEAL_KEY.lastIndex - key.length, end: UNSEAL_KEY.lastIndex, kind: 'secret' }
}
