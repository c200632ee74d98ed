import { describe, expect, test } from 'vitest'
import { redactText } from '../../src/redact/index.ts'

const SECRET = 'kX9vQ2mZ7pLw4RtB8nYc'
const HASH = 'EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW'

describe('a secret is found in every dress', () => {
  test.each([
    // Signs that assign, in languages and files.
    `DB_PASSWORD ?= ${SECRET}`,
    `DB_PASSWORD ::= ${SECRET}`,
    `DB_PASSWORD += ${SECRET}`,
    `$password .= '${SECRET}';`,
    `var dbPassword string = "${SECRET}"`,
    `#define DB_PASSWORD "${SECRET}"`,
    `const API_KEY: &'static str = "${SECRET}";`,
    `proxy_set_header X-Api-Key ${SECRET};`,
    `~ db_password = "oldsecretvalue99" -> "${SECRET}"`,
    // What code has before a string.
    `const token = process.env.API_TOKEN || "${SECRET}"`,
    `const pw = process.env.DB_PASSWORD ?? '${SECRET}'`,
    `password=SecretStr('${SECRET}')`,
    `secret: new Secret('${SECRET}')`,
    // Colours and signs without a width.
    `DB_PASSWORD\u001b[0m=\u001b[32m${SECRET}\u001b[0m`,
    `\u001b[34;1m"password"\u001b[0m\u001b[1;39m:\u001b[0m \u001b[0;32m"${SECRET}"\u001b[0m`,
    `\\u001b[34;1m\\"password\\"\\u001b[0m: \\u001b[0;32m\\"${SECRET}\\"\\u001b[0m`,
    `password\u200b: ${SECRET}`,
    `password:\u00a0${SECRET}`,
    `password：${SECRET}`,
    // Labels in other languages.
    `Das Passwort lautet ${SECRET}`,
    `Kennwort: ${SECRET}`,
    `wachtwoord: ${SECRET}`,
    `mot de passe : ${SECRET}`,
    `contraseña: ${SECRET}`,
    `senha: ${SECRET}`,
    `пароль: ${SECRET}`,
    `パスワード：${SECRET}`,
    `密码: ${SECRET}`,
    `Unseal Key 1: 4jYbl2CBIv6SpkKj6Hos9iD32k5RfGkLzlosrrq/${SECRET.slice(0, 4)}`,
  ])('%j', (text) => {
    const { text: redacted, found } = redactText(text)
    expect(found.length).toBeGreaterThan(0)
    expect(redacted).not.toContain(SECRET.slice(0, 4))
    expect(redactText(redacted)).toEqual({ text: redacted, found: [] })
  })

  test('a secret with colours inside is the same secret', () => {
    const plain = redactText(`DB_PASSWORD=${SECRET}`)
    const coloured = redactText(`DB_PASSWORD=${SECRET.slice(0, 9)}\u001b[7m${SECRET.slice(9)}\u001b[0m`)
    expect(coloured.found).toEqual(plain.found)
    expect(coloured.text).toBe(`${plain.text}\u001b[0m`)
  })

  test.each([`admin:$2b$12$${HASH}`, `root:$6$rounds=5000$salt$${HASH}${HASH.slice(0, 33)}:19000:`])(
    'the hash of a password: %s',
    (text) => expect(redactText(text).text).not.toContain(HASH),
  )
})

test.each([
  'import { generateSecret,\nimportJWK } from "jose"',
  'client_secret: this.#x.y',
  'password: z.string().optional()',
  'pass: "#F44336"',
  'curl -u <user:password> https://x',
  'Authorization: Basic dXNlcjpwYXNzd29yZA==',
  'token: 0x52908400098527886E0F7030069857D2E4169EE7',
  'const token = cached || load(name)',
  'the password is wrong',
  'Kennwort: vergessen?',
  'la contraseña es incorrecta',
])('no secret: %j', (text) => {
  expect(redactText(text)).toEqual({ text, found: [] })
})

describe('a secret that a terminal has wrapped', () => {
  const WIDTH = 80
  const wrap = (text: string) => text.replace(new RegExp(`.{${WIDTH}}`, 'g'), '$&\n')
  const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0ZXN0IiwiZXhwIjoxNzUwMDI0MzE2fQ.${SECRET}${HASH.slice(0, 23)}`

  test.each([
    `ann@host shop % curl -v -H "Authorization: Bearer ${JWT}" -s https://shop.example/api`,
    `ann@host some-longer-name-of-a-folder % curl -H "Authorization: Bearer ${JWT}"`,
    `https://store.example/pizza.png?X-Amz-Expires=3600&X-Amz-Signature=543b60303c615a1ee24247ee70544087a37afea4de3925983940ab031953f961 -> x`,
    `export SOME_SERVICE_WITH_A_LONG_NAME_API_KEY="sk-proj-${SECRET}${HASH}${SECRET}"`,
  ])('%s', (text) => {
    const whole = redactText(text)
    const wrapped = redactText(wrap(text))
    expect(wrapped.found).toEqual(whole.found)
    expect(wrapped.text.replaceAll('\n', '')).toBe(whole.text.replaceAll('\n', ''))
  })

  test.each([
    'curl -s https://shop.example/api',
    'ann@host shop % ls',
    'a123@host shop % ls',
    'TOKEN_TTL=3600',
    '2026-11-25 10:00:00 started',
    'step1 is done',
  ])('the next line is another one: %s', (next) => {
    const text = `a line as long as a terminal is wide, and at its end is API_TOKEN=${SECRET}`
    expect(redactText(`${text}\n${next}`).text).toBe(`${redactText(text).text}\n${next}`)
    expect(redactText(`TOKEN=${SECRET}\n66fa4fe`).text).toContain('66fa4fe')
  })
})
