import { letters, oneOf, type Roll } from './dice.ts'

const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const ALNUM = SMALL + SMALL.toUpperCase() + DIGITS
const HEX = `${DIGITS}abcdef`
const BASE64 = `${ALNUM}+/`
const WORDS =
  'winter summer dragon monkey purple orange falcon river castle tiger harbor velvet copper meadow rocket sunny charlie maple thunder violin'.split(
    ' ',
  )

/** Secrets by their shape. None has a vendor's start. */
export const VALUES: Record<string, (roll: Roll) => string> = {
  'password with signs': (roll) => password(roll, 8 + roll(5), '!@#%^*-_+?.'),
  'letters and digits, 8 to 12': (roll) => password(roll, 8 + roll(5), ''),
  'word, number, sign': (roll) =>
    capital(oneOf(roll, WORDS)) +
    (roll(2) === 0 ? '' : capital(oneOf(roll, WORDS))) +
    (10 + roll(2000)) +
    oneOf(roll, ['!', '!!', '#', '*', '?']),
  'words with hyphens': (roll) =>
    [oneOf(roll, WORDS), capital(oneOf(roll, WORDS)), oneOf(roll, WORDS), 10 + roll(90)].join(
      oneOf(roll, ['-', '.']),
    ),
  hex: (roll) => letters(roll, oneOf(roll, [32, 40, 64]), HEX),
  '0x and hex': (roll) => `0x${letters(roll, 64, HEX)}`,
  base64: (roll) =>
    Buffer.from(letters(roll, oneOf(roll, [16, 24, 32]), `${ALNUM}\x01\x7f\x83\xf3`), 'latin1').toString(
      'base64',
    ),
  base64url: (roll) => letters(roll, oneOf(roll, [22, 43, 64]), `${ALNUM}-_`).replace(/^[-_]/, 'k'),
  uuid: (roll) => [8, 4, 4, 4, 12].map((length) => letters(roll, length, HEX)).join('-'),
  'letters and digits, 16 to 48': (roll) => letters(roll, 16 + roll(33), ALNUM),
  'capitals and digits': (roll) =>
    Array.from({ length: oneOf(roll, [4, 5, 6]) }, () =>
      letters(roll, 5, `${SMALL.toUpperCase()}234567`),
    ).join(oneOf(roll, ['', '-'])),
  'parts with dots': (roll) =>
    [letters(roll, 24, ALNUM), letters(roll, 6, ALNUM), letters(roll, 27, `${ALNUM}_-`)].join('.'),
  'hash of a password': (roll) =>
    oneOf(roll, [
      () => `$2b$12$${letters(roll, 53, `${ALNUM}./`)}`,
      () => `$6$${letters(roll, 16, ALNUM)}$${letters(roll, 86, `${ALNUM}./`)}`,
      () => `$5$${letters(roll, 16, ALNUM)}$${letters(roll, 43, `${ALNUM}./`)}`,
    ])(),
}

/** Values that are no secrets, though a telling name is before them. */
export const HARMLESS_VALUES: Record<string, (roll: Roll) => string> = {
  'a variable': (roll) =>
    oneOf(roll, [
      '$DB_PASSWORD',
      '${API_KEY}',
      '${{ secrets.TOKEN }}',
      '{{ vault_password }}',
      '%(password)s',
      '<%= @pass %>',
      '$(pass show db)',
    ]),
  'a placeholder': (roll) =>
    oneOf(roll, [
      '<your-password>',
      'your_api_key_here',
      'YOUR-TOKEN-HERE',
      '********',
      'xxxxxxxxxxxx',
      '[hidden]',
      '...',
      '<redacted>',
      '(sensitive value)',
    ]),
  'nothing or a flag': (roll) => oneOf(roll, ['null', 'true', 'false', 'none', 'undefined', '0', '42', '""']),
  'a type': (roll) =>
    oneOf(roll, ['string', 'String', 'str', 'Optional[str]', 'string | undefined', 'VARCHAR(255)']),
  'a path': (roll) =>
    oneOf(roll, [
      '/run/secrets/db_password',
      '~/.ssh/id_ed25519',
      './certs/key.pem',
      'vault:secret/data/db#value',
    ]),
}

/** Names that say nothing of a secret, with values that look random. */
export const HARMLESS_PAIRS: Record<string, (roll: Roll) => [name: string, value: string]> = {
  'id or hash': (roll) => [
    oneOf(roll, [
      'commit',
      'sha256',
      'etag',
      'request id',
      'checksum',
      'trace id',
      'digest',
      'image',
      'revision',
    ]),
    letters(roll, oneOf(roll, [32, 40, 64]), HEX),
  ],
  'uuid of a thing': (roll) => [
    oneOf(roll, ['user id', 'session id', 'device', 'correlation id', 'message uuid', 'project']),
    [8, 4, 4, 4, 12].map((length) => letters(roll, length, HEX)).join('-'),
  ],
  integrity: (roll) => ['integrity', `sha512-${letters(roll, 86, BASE64)}==`],
  'count of tokens': (roll) => [
    oneOf(roll, [
      'max tokens',
      'input tokens',
      'token count',
      'password length',
      'key size',
      'token limit',
      'secret version',
    ]),
    letters(roll, 4, '123456789'),
  ],
}

function password(roll: Roll, length: number, signs: string): string {
  const must = [SMALL, SMALL.toUpperCase(), DIGITS, ...(signs === '' ? [] : [signs])]
  const rest =
    must.map((alphabet) => letters(roll, 1, alphabet)).join('') +
    letters(roll, length - must.length - 1, ALNUM + signs)
  const mixed = [...rest].map((letter) => ({ letter, at: roll(1000) })).sort((a, b) => a.at - b.at)
  // A sign at the beginning would mean something else in YAML and in shells.
  return letters(roll, 1, ALNUM) + mixed.map(({ letter }) => letter).join('')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
