import { oneOf, type Roll } from './dice.ts'

/** A name as a case uses it. Reading one of them says how the name is written in this place. */
export interface Name {
  /** As a variable of a program. */
  id: string
  /** As a variable of the environment. */
  env: string
  /** As a key of a document, where hyphens and dots are allowed too. */
  key: string
  /** As people write it. */
  label: string
}

const ENGLISH_SECRETS =
  'api key|auth token|access token|client secret|secret key|private key|webhook secret|encryption key|signing key|refresh token|bot token|app secret|master key|jwt secret|session secret|access key|token|secret|license key'
const ENGLISH_OWNERS = '|||stripe|github|service|admin|my app|acme|prod|internal'

/** Names by their language. Spaces separate the words of a name. */
export const NAMES: Record<string, (roll: Roll) => string> = {
  'English password': (roll) =>
    joined(
      oneOf(roll, '||db|admin|smtp|user|postgres|root|mail|redis|keystore'.split('|')),
      oneOf(roll, 'password|password|passwd|pwd|passphrase'.split('|')),
    ),
  'English key, token': (roll) =>
    joined(oneOf(roll, ENGLISH_OWNERS.split('|')), oneOf(roll, ENGLISH_SECRETS.split('|'))),
  Germanic: from(
    'Passwort|Kennwort|Admin Passwort|Datenbank Passwort|wachtwoord|lösenord|adgangskode|passord|lykilorð|Geheimer Schlüssel|Zugangspasswort|API Schlüssel',
  ),
  Romance: from(
    'mot de passe|contraseña|senha|mot de passe admin|clave secreta|clé secrète|clé API|chave secreta|chiave segreta|parolă|contrasenya|contraseña de la base|senha do banco',
  ),
  'other Latin letters': from(
    'hasło|heslo|lozinka|geslo|jelszó|salasana|şifre|parola|slaptažodis|parole|mật khẩu|kata sandi|nenosiri|hasło do bazy|geheime sleutel',
  ),
  'other letters': from(
    'пароль|пароль от базы|секретный ключ|ключ API|парола|κωδικός πρόσβασης|كلمة المرور|סיסמה|पासवर्ड|パスワード|密码|密碼|비밀번호|密钥|秘密鍵|口令|รหัสผ่าน|API密钥|数据库密码|токен доступа',
  ),
}

const IDENTIFIERS = ['snake', 'SCREAMING', 'camel', 'Pascal', 'joined'] as const
const KEYS = [...IDENTIFIERS, 'kebab', 'dotted'] as const
const LABELS = ['words', 'Title'] as const
type Case = (typeof KEYS)[number] | (typeof LABELS)[number]

/** Draws the cases of a name. `used` is told in which of them the name was read. */
export function nameOf(words: string, roll: Roll, used: (written: Case) => void): Name {
  const read = (written: Case) => {
    used(written)
    return write(words.split(' '), written)
  }
  const id = oneOf(roll, IDENTIFIERS)
  const key = oneOf(roll, KEYS)
  const label = oneOf(roll, LABELS)
  return {
    get id() {
      return read(id)
    },
    get env() {
      return read('SCREAMING')
    },
    get key() {
      return read(key)
    },
    get label() {
      return read(label)
    },
  }
}

function write(words: readonly string[], written: Case): string {
  const small = words.map((word) => word.toLowerCase())
  const large = small.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const forms: Record<Case, string> = {
    snake: small.join('_'),
    SCREAMING: small.join('_').toUpperCase(),
    camel: [small[0], ...large.slice(1)].join(''),
    Pascal: large.join(''),
    joined: small.join(''),
    kebab: small.join('-'),
    dotted: small.join('.'),
    words: words.join(' '),
    Title: large.join(' '),
  }
  return forms[written]
}

function from(list: string): (roll: Roll) => string {
  return (roll) => oneOf(roll, list.split('|'))
}

function joined(owner: string, secret: string): string {
  return owner === '' ? secret : `${owner} ${secret}`
}
