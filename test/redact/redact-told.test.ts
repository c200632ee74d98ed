import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/redact/index.ts'
import { drawer, HEX } from './redact-corpus.ts'

const P = 'Qm82nL!wXz0'
const T = drawer(51)(40)
const H = drawer(52)(32, HEX)
const UUID = `${H.slice(0, 8)}-${H.slice(8, 12)}-${H.slice(12, 16)}-${H.slice(16, 20)}-${H.slice(20)}`
const GROUPS = 'xgkp jeqw zrkk pzcw'

function expectGone(text: string) {
  const secrets = [P, T, H, UUID, GROUPS].filter((secret) => text.includes(secret))
  expect(secrets).not.toEqual([])
  const redacted = redactText(text).text
  for (const secret of secrets) expect(redacted).not.toContain(secret)
  expect(redactText(redacted).text).toBe(redacted)
  const inJson = redactText(JSON.stringify({ text })).text
  for (const secret of secrets) expect(inJson).not.toContain(secret)
  expect(() => JSON.parse(inJson)).not.toThrow()
}

function expectSame(text: string) {
  expect(redactText(text)).toEqual({ text, found: [] })
}

describe('a secret in a sentence without a sign after its name is found', () => {
  it.each([
    `login with ada@acme.io and password "${P}"`,
    `log in with password '${P}'`,
    `use the password \`${P}\` for now`,
    `with the password ${P}, you get in`,
    `user ada, pass ${P}`,
    `use this token for staging: ${T}`,
    `token for prod: ${T}`,
    `the password for the db is ${P}`,
    `password of ada: ${P}`,
    `API token (expires in May): ${T}`,
    `here's the token you need - ${T}`,
    `my token's ${T}`,
    `invalid token ${T}`,
    `please set the api key to ${T}`,
    `add SENTRY_AUTH_TOKEN with value ${T} to the job`,
    `password changed from ${P} to another`,
    `new token for the bot (till friday):\n${T}`,
    `the new one is ${T} (api token)`,
    `${P} is the admin password`,
    `dbpass: ${P}`,
    `the token (${T}) expires tomorrow`,
    `My GitHub PAT: ${T}`,
    `the new password will be ${P}`,
    `Das Passwort wurde auf ${P} geändert`,
    `Zugang: admin / ${P}`,
    `Password for https://ada@git.acme.io: ${P}`,
    `Password for the [elastic] user: ${P}`,
    `PASSWORD elastic = ${P}`,
    `A temporary password is generated for root@localhost: ${P}`,
    `identifiants : ada / ${P}`,
    `ada@acme.io:${P}`,
    `ada@acme.io / ${P}`,
    `keystore.jks pass ${P}`,
    `le token est ${T}`,
    `the credentials are admin / ${P}`,
    `Grafana login is admin:${P}`,
    `you can log in with admin/${P}`,
    `Enter PEM pass phrase: ${P}`,
    `use this key: ${T}`,
    `Zugangsdaten: Benutzer admin, Passwort ${P}`,
    `Passwort für den Server ${P}`,
    `utilisateur ada, mot de passe ${P}`,
    `usuario ada, contraseña ${P}`,
    `пароль от стенда ${P}`,
    `用户名 ada 密码 ${P}`,
  ])('%s', expectGone)

  it.each([
    'password hashing uses bcrypt',
    'the token for staging: see the vault',
    `the token fix for CI: ${T.length > 0 ? drawer(53)(40, HEX) : ''}`,
    'the password `newPassword2` is checked',
    'set the password "$ADMIN_PW1" first',
    'a token of type "access_token2"',
    'password docs#Section12a',
    'install secret-tool@1.2.3-Beta4',
    'the secret at "config/app1.json"',
    'password C++17Foo',
    'log in with GitHub/Google1a',
    'compass: north1A!',
    'the path: src/Auth1!x',
    'git@github.com:Acme1/tool-2a',
    'ada@acme.io: see page 12',
    'http://acme.io:8080/Page12!',
    'trojan://pass@host.com:443?sni=a1.host.com#Node',
    'password reset link: https://acme.io/Reset12',
    'the path src/Auth1.ts is the token file',
    `${drawer(54)(40, HEX)} is the password commit`,
    'invalid token InvalidTokenException2',
  ])('%s stays', expectSame)
})

describe('a label of another language is found as the second on its line', () => {
  it.each([
    `usuario: ada clave: ${P}`,
    `Benutzer: ada Passwort: ${P}`,
    `identifiant: ada mdp: ${P}`,
    `utente: ada chiave: ${P}`,
    `GEHEIMNIS=${P}`,
    `DB_GEHEIMNIS: "${P}"`,
    `SECRETO=${P}`,
    `CLAVE_DB=${P}`,
    `API_SCHLUESSEL: ${T}`,
    `секрет: ${T}`,
  ])('%s', expectGone)

  it.each([
    'clave: valor1',
    '{"clave": "valor_1"}',
    'chave = indice2',
    'ключ: значение1',
    'enclave: zone1a!',
  ])('%s stays', expectSame)
})

describe('a secret on the line below a line that only names it is found', () => {
  it.each([
    `Screenshot: Client secret\n${T}\nCopy`,
    `Password\n${P}\nShow`,
    `API key (staging)\n\n${T}`,
    `**Password**\n\n${P}`,
    `- Password\n  ${P}`,
    `Mot de passe\n${P}`,
    `App password\n${GROUPS}`,
    `$ cat config/master.key\n${H}`,
  ])('%j', expectGone)

  it.each([
    'password\nuserName2',
    'Token\nsrc/auth/token.ts',
    'password\nvalidate(user2)',
    'the secret\nis in the vault',
  ])('%j stays', expectSame)
})

describe('a name with a suffix and names of files are found', () => {
  it.each([
    `acme_smtp_password_v4: ${P}`,
    `dbPasswordV3: "${P}"`,
    `API_TOKEN_OLD=${T}`,
    `DB_PASSWORD_RO=${P}`,
    `config/master.key: ${H}`,
    `config/credentials/production.key: ${H}`,
    `AccessorID: 1\nSecretID:         ${UUID}`,
    `secret_id    ${UUID}`,
  ])('%s', expectGone)

  it.each([`{"secretId": "${UUID}"}`, `dist/sign.key: no such file`])('%s stays', expectSame)
})

describe('a password in groups of letters is found', () => {
  it.each([
    `EMAIL_HOST_PASSWORD=${GROUPS}`,
    `EMAIL_HOST_PASSWORD="${GROUPS}"`,
    `SMTP_PASS: "${GROUPS}"`,
    `Your app password is ${GROUPS}`,
    `Das App-Passwort lautet ${GROUPS}`,
  ])('%s', expectGone)

  it('in a value of JSON', () => {
    expect(JSON.stringify(redactValue({ pass: GROUPS }).value)).not.toContain(GROUPS)
    expect(redactText('totp secret: JBSW Y3DP EHPK 3PXP').text).not.toContain('3PXP')
    expect(redactText('app password: xgkp-jeqw-zrkk-pzcw').text).not.toContain('pzcw')
  })

  it.each([
    'password: this will take some time',
    'SMTP_PASS=abcd efgh ijkl mnop',
    '{"password": "must have been sent"}',
    'token: 2024 2025 2026 2027',
  ])('%s stays', expectSame)
})

describe('codes for the loss of a second factor are found', () => {
  it.each([
    ['Recovery codes:\n1a2b3-c4d5e\n9f8e7-d6c5b', 'd6c5b'],
    ['backup codes: 1234 5678, 8765 4321', '4321'],
    ['Your backup codes\n1. 1928 3746\n2. 5564 7738', '7738'],
    ['"recovery_codes": ["a1b2c-d3e4f", "q9w8e-r7t6y"]', 'r7t6y'],
    ['{"text":"Recovery codes:\\n1a2b3-c4d5e\\n9f8e7-d6c5b"}', 'd6c5b'],
    ['Wiederherstellungscodes:\n- 4fj29dk3\n- 9dk3l2m1', '9dk3l2m1'],
    ['codes de secours : 83921745 10293847', '10293847'],
    ['emergency codes (2FA): AB12CD34 EF56GH78', 'EF56GH78'],
    [
      'seed phrase: ripple lantern copper orbit mango velvet tunnel sunny walnut pigeon harbor cradle',
      'cradle',
    ],
  ])('%s', (text, secret) => {
    const redacted = redactText(text).text
    expect(redacted).not.toContain(secret)
    expect(redactText(redacted).text).toBe(redacted)
  })

  it.each([
    'backup codes: see page 12345678',
    'recovery codes are hashed with sha256-hmac',
    'recovery code: a1b2c',
    "/* mnemonic */ 'adc add adiw and andi asr bclr bld brbc brbs brcc brcs break '",
    'const mnemonic = generateMnemonic(128)',
    'the recovery phrase: these words help you get your wallet back when the phone is lost or broken for good',
    'mnemonic: test test test test test test test test test test test junk',
  ])('%s stays', expectSame)
})
