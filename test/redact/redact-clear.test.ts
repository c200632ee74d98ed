import { describe, expect, it } from 'vitest'
import { redactText } from '../../src/redact/index.ts'
import { redactMessages } from '../../src/redact/messages.ts'
import type { Message } from '../../src/session/schema.ts'
import { drawer, HEX } from './redact-corpus.ts'

/** Passwords as people make them: nothing but words and a number. */
const WORDS = ['otter', 'quartz', 'saddle']
const HYPHENS = [...WORDS, '47'].join('-')
const PASCAL = `${'Otter'}${'Quartz'}57`
const NUMBER = `${WORDS[2]}7442`
const RUN = WORDS.join('')
const PHRASE = [...WORDS, 'lagoon', 'velvet'].join(' ')
const H = drawer(71)(64, HEX)
const MADE = [HYPHENS, PASCAL, NUMBER, RUN, PHRASE, H.slice(0, 32), H]

function expectGone(text: string) {
  const secrets = MADE.filter((secret) => text.includes(secret))
  expect(secrets).not.toEqual([])
  const redacted = redactText(text).text
  for (const secret of secrets) expect(redacted).not.toContain(secret)
  expect(redactText(redacted).text).toBe(redacted)
}

function expectSame(text: string) {
  expect(redactText(text)).toEqual({ text, found: [] })
}

describe('a password of words is found where the words around it leave no doubt', () => {
  it.each([
    `the wifi password is ${HYPHENS}`,
    `das Passwort lautet ${NUMBER} und der Benutzer admin`,
    `le mot de passe est « ${PASCAL} »`,
    `a senha do banco é ${NUMBER} , usuário sa`,
    `la password è ${HYPHENS}`,
    `şifresi: ${NUMBER} kullanıcı`,
    `пароль от базы ${PASCAL}`,
    `账号admin，密码${NUMBER}`,
    `パスワードは ${HYPHENS} です`,
    `use the password ${PASCAL} for the demo`,
    `login with user qa1 and password ${HYPHENS}`,
    `Credentials: qa1 / ${HYPHENS}`,
    `| Service | Password |\n|---|---|\n| Grafana | ${HYPHENS} |`,
    `Please use the following password to proceed:\n\n${H.slice(0, 32)}\n\nThis`,
    `Password for the user reset.\nNew value: ${PASCAL}`,
    `RESTIC_PASSWORD="${PHRASE}"`,
    `secret = ${RUN}`,
    `mysqldump --password=${RUN} shop`,
    `cmdkey /add:nas /pass:${HYPHENS}`,
    `user mia insecure-password ${PASCAL}`,
    `echo ${H} > config/master.key`,
    `password=\${DB_PASSWORD:${RUN}}`,
  ])('%s', expectGone)

  it.each([
    'password: debug2: channel 2',
    "All checks pass. Here's a summary:\n\n**Summary:**\n\nIt works",
    'the password is required',
    'the password is sha256-hashed',
    'das Passwort lautet anders als gedacht',
    'la clave es el índice de la tabla',
    'use --ask-vault-password option',
    'refresh_token: DefaultMysqlColumn<{',
    'esxi_password: @ESXI1_PASSWORD',
    'password: {{ .Values.password | b64enc | quote }}',
    '| `auth.existingSecretKey` | `rabbitmq-erlang-cookie` |',
    'login(email: String!, password: String!): Payload!',
    '"password": "must be at least eight letters"',
  ])('%s stays', expectSame)
})

describe('the argument of a call that takes a secret is found', () => {
  it.each([
    `algoliasearch('L3QZ81KDPA', '${H.slice(0, 32)}')`,
    `PDO->__construct('mysql:host=db1', 'shop', '${HYPHENS}', Array)`,
    `pymysql.connect("db1", "root", "${HYPHENS}", "shop")`,
    `CryptoJS.AES.decrypt(blob, '${PASCAL}')`,
    `smtp.PlainAuth("", "me@acme.dev", "${HYPHENS}", "h")`,
    `page.fill('#password', '${HYPHENS}')`,
    `props.setProperty("password", "${HYPHENS}")`,
    `ks.load(in, "${RUN}".toCharArray())`,
    `accounts: ["0x${H}"]`,
  ])('%s', expectGone)

  it.each([
    `connect('db1', 'root', 'readonly')`,
    `auth.login('me@acme.dev', 'me@acme.dev')`,
    `decrypt(data, 'aes-256-gcm')`,
  ])('%s stays', expectSame)
})

describe('what a command prints is a secret when the command asks for one', () => {
  const answer = (command: string, output: string) =>
    redactMessages(
      [
        message('1', 'assistant', '', { tool_calls: [{ id: 'c', name: 'Bash', arguments: { command } }] }),
        message('2', 'tool', output, { tool_call_id: 'c' }),
      ],
      {},
    )[1]!.content

  it.each([
    ['pass show work/db', `${HYPHENS}\nuser: mia`],
    ["kubectl get secret db -o jsonpath='{.data.password}' | base64 -d", PASCAL],
    ['terraform output -raw db_password', NUMBER],
    ['az keyvault secret show --vault-name v --name smtp', `{\n  "name": "smtp",\n  "value": "${NUMBER}"\n}`],
    ['cat /run/secrets/db_password', HYPHENS],
    ['jq -r .db.password config.json', HYPHENS],
    ['op read op://Infra/db/password', PHRASE],
  ])('%s', (command, output) => {
    const left = answer(command, output)
    for (const secret of MADE.filter((made) => output.includes(made))) expect(left).not.toContain(secret)
  })

  it.each([
    ['cat src/token.ts', 'export const a = 1'],
    ['ls secrets', 'db-password-17'],
    ['git rev-parse token-branch', H.slice(0, 40)],
    ['pass show work/db > /tmp/x', 'no output at all'],
    ['terraform output -raw url', 'https://acme.dev/orders2024'],
  ])('%s stays', (command, output) => {
    expect(answer(command, output)).toBe(output)
  })
})

describe('new shapes are found', () => {
  it('a hash of Apache, a key of Nostr, a key that OpenVPN shares, JSON in a URL', () => {
    const body = drawer(72)(22)
    expect(redactText(`mia:$apr1$aB3dE5gH$${body}`).text).not.toContain(body)
    const key = drawer(73)(58, '023456789acdefghjklmnpqrstuvwxyz')
    expect(redactText(`nsec1${key}`).text).not.toContain(key)
    const lines = Array.from({ length: 16 }, (_, n) => drawer(80 + n)(32, HEX))
    const block = `-----BEGIN OpenVPN Static key V1-----\n${lines.join('\n')}\n-----END OpenVPN Static key V1-----`
    expect(redactText(block).text).not.toContain(lines[15])
    expectGone(`/cb?state=%7B%22password%22%3A%22${HYPHENS}%22%7D`)
  })
})

function message(id: string, role: Message['role'], content: string, rest: object): Message {
  return { id, role, content, timestamp: '2026-01-01T00:00:00Z', ...rest }
}
