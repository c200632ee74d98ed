import type { Expectation } from '../names.ts'
import type { Span } from '../scan.ts'

/** What separates the words of a label, or of the name of a variable that is made of it. */
const GAP = '[ _.-]?'
const spaced = (words: string) => words.replaceAll(' ', GAP)

/** Words for a password that end a compound: `Datenbankkennwort`. */
const ENDINGS = 'kennwort|losungswort|wachtwoord|lösenord|adgangskode|lykilorð|salasana|salasõna'
/** Words for a password in other languages, as a person or a form writes them before it. */
const PASSWORDS = spaced(
  'mot de passe|contrase[nñ]a|contrasenya|contrasinal|senha|palavra passe|parol[aăe]|hasło|heslo|lozinka|geslo|jelszó|şifre|slaptažodis|mật khẩu|kata sandi|nenosiri|пароль|парола|лозинка|κωδικός|كلمة المرور|كلمة السر|סיסמה|סיסמא|पासवर्ड|รหัสผ่าน|parool',
)
/** Words for a secret key. Those for a key alone are said of too many things. */
const KEYS = spaced(
  'geheim(?:er|es|e)? (?:schlüssel|sleutel)|api schlüssel|api sleutel|cl[ée] (?:secrète|secrete|privée|privee|api|d\'api)|clave (?:secreta|privada|api|de api)|chave (?:secreta|privada|api|de api)|chiave (?:segreta|privata|api)|(?:секретный|приватный|закрытый) ключ|ключ api|токен(?: доступа)?|tajný klíč|tajny klucz|klucz api',
)
/** Languages that write no spaces between words. */
const UNSPACED = 'パスワード|暗証番号|密码|密碼|口令|비밀번호|암호|密钥|密鑰|秘密鍵|令牌|トークン|비밀키'

/** Finds a label; part of the search for secrets that only their surroundings give away. */
export const LABEL_TRIGGER = `${ENDINGS}|${PASSWORDS}|${KEYS}|${UNSPACED}`

const KEY = new RegExp(`^(?:${KEYS}|密钥|密鑰|秘密鍵|令牌|トークン|비밀키)$`, 'i')
const COMPOUND = new RegExp(`^(?:${ENDINGS}|${UNSPACED})$`, 'i')
/** Letters of most alphabets, without the signs between them. */
export const LETTERS = 'A-Za-z0-9\\u00c0-\\u024f\\u0370-\\u1fff\\u3005-\\u3007\\u3040-\\ud7ff'
const LETTER = new RegExp(`[${LETTERS}]`)

/** What the label `literal` at `offset` announces. Undefined in the middle of another word: `desenhar`. */
export function expectationOfLabel(text: string, offset: number, literal: string): Expectation | undefined {
  const before = text[offset - 1] ?? ''
  const isWord =
    !LETTER.test(before) ||
    COMPOUND.test(literal) ||
    (/\p{Lu}/u.test(literal[0]!) && /[\p{Ll}\d]/u.test(before)) ||
    /\\[nrt]$|-D$/.test(text.slice(Math.max(0, offset - 2), offset))
  if (!isWord) return undefined
  return KEY.test(literal) ? 'secret' : 'password'
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
