import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/redact/index.ts'
import { drawer, HEX } from './redact-corpus.ts'

const P = 'Qm82nLwXz0'
const T = drawer(21)(32, HEX)

/** What the text hides must be gone, redacting again changes nothing, and JSON stays JSON. */
function expectGone(text: string, secret = text.includes(T) ? T : P) {
  expect(text).toContain(secret)
  const { text: redacted } = redactText(text)
  expect(redacted).not.toContain(secret)
  expect(redactText(redacted)).toEqual({ text: redacted, found: [] })
  if (isJson(text)) expect(isJson(redacted)).toBe(true)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the value beside its name is found (E-20)', () => {
  it.each([
    `{"name":"DB_PASSWORD","value":"${P}"}`,
    `{"name":"API_TOKEN","value":"${T}"}`,
    `{"Key":"DB_PASSWORD","Value":"${P}"}`,
    `{"name":"DB_PASSWORD","type":"plain","value":"${P}"}`,
    `{"key": "DB_PASSWORD", "secure": true, "value": "${P}"}`,
    `{"value":"${P}","name":"DB_PASSWORD"}`,
    JSON.stringify([{ Value: P, Key: 'DB_PASSWORD' }], null, 2),
    JSON.stringify(JSON.stringify({ env: [{ name: 'DB_PASSWORD', value: P }] })),
    `- name: DB_PASSWORD\n  value: ${P}`,
  ])('%s', (text) => expectGone(text))
})

describe('the value on the line below its name is found (E-20)', () => {
  it.each([
    `password: |\n  ${P}\nport: 1`,
    `token: >-\n  ${T}\n`,
    `db:\n  password:\n    ${P}\n  port: 1`,
    `"password":\n    "${P}"`,
    `const apiKey =\n  "${T}";`,
    `password = (\n    '${P}'\n)`,
    JSON.stringify({ file: `const apiKey =\n\t"${T}";` }),
    `+password: |\n+  ${P}\n`,
  ])('%j', (text) => expectGone(text))

  it.each([
    'if password:\n    return Response2(user)',
    'def pass_token(token):\n    self.token2 = token',
    'password:\n  type: string\n  minLength: 8',
    'password: |\n  required',
    'const token =\n  await getToken(id2)',
    'secret:\n  - name: a1',
  ])('code and schemas stay: %j', (text) => expect(redactText(text).found).toEqual([]))
})

describe('a password of words is found (E-20)', () => {
  it.each([
    ['DB_PASSWORD=monkeybusiness', 'monkey'],
    ['SESSION_SECRET=keyboardcat', 'keyboard'],
    ['{"password": "turkeysandwich"}', 'turkey'],
    ['DB_PASSWORD=compassrose', 'compass'],
    ['{"password":"credenza"}', 'credenza'],
    ['DB_PASSWORD=Example-Corp-2025!', 'Corp'],
    ['{"password":"Example-Corp-2025!"}', 'Corp'],
    ["PGPASSWORD='mango-tree'", 'mango'],
    ['{"password":"mango-tree"}', 'mango'],
  ])('%s', (text, secret) => expectGone(text, secret))

  it.each([
    'DB_PASSWORD=example-password',
    'password: "password.example.com"',
    '{"secret": "secretKeyRef", "token": "authToken", "password": "newPassword"}',
    '{"password": "auth-field", "pass": "pass-through", "secret": "api-key"}',
    `DB_PASSWORD=${'wJalrXUtnFEMI/K7MDENG'}/bPxRfiCYEXAMPLEKEY`,
  ])('talk about passwords stays: %s', (text) => expect(redactText(text).found).toEqual([]))
})

describe('a value without a sign behind its name is found (E-20)', () => {
  it.each([
    `FROM a\nENV DB_PASSWORD ${P}`,
    `set -gx DB_PASSWORD ${P}`,
    `setx DB_PASSWORD "${P}"`,
    `gh secret set DB_PASSWORD --body "${P}"`,
    `gh secret set DB_PASSWORD -b"${P}"`,
    `redis-server --requirepass ${P}`,
    `port 1\nrequirepass ${P}`,
    `masterauth ${P}`,
    `bindpw ${P}`,
    `machine h password ${P}`,
    `CREATE LOGIN b WITH PASSWORD = N'${P}'`,
    `SET PASSWORD FOR 'b' = '${P}'`,
    `SET PASSWORD FOR 'b'@'%' = PASSWORD('${P}')`,
    `jdbc:oracle:thin:u/${P}@//h:1521/x`,
    `ConvertTo-SecureString "${P}" -AsPlainText -Force`,
    `ConvertTo-SecureString -String '${P}'`,
    `SSHPASS=${P} sshpass -e ssh h`,
    `network={\n  psk="${P}"\n}`,
    `aws secretsmanager create-secret --secret-string "${P}"`,
    `auth=("u","${P}")`,
    `HTTPBasicAuth('u', '${P}')`,
    `req.SetBasicAuth("u", "${P}")`,
  ])('%s', (text) => expectGone(text))
})

describe('a password that a command is given is found (E-20)', () => {
  const lists = [
    ['mysql', '-uroot', `-p${P}`],
    ['curl', '-su', `u:${P}`],
    ['docker', 'login', '-u', 'b', '-p', P],
    ['redis-cli', '-a', P],
    ['sshpass', '-p', P],
  ]
  it.each(lists.map((list) => [list]))('a password in a list of arguments is found: %j', (list) => {
    expectGone(JSON.stringify(list))
    expectGone(JSON.stringify({ cmd: list }, null, 2))
    expectGone(JSON.stringify(JSON.stringify(list)))
    const once = redactValue(list).value
    expect(JSON.stringify(once)).not.toContain(P)
    expect(redactValue(once)).toEqual({ value: once, found: [] })
  })

  it.each([
    `curl -su u:${P} https://x`,
    `curl -sSu u:${P} https://x`,
    `http -a u:${P} h`,
    `echo ${P} | docker login -u b --password-stdin ghcr.io`,
    `printf '%s' "${P}" | docker login --password-stdin`,
    `echo '${P}' | sudo -S ls`,
    `echo "u:${P}" | sudo chpasswd`,
    `echo ${P} | sudo /usr/bin/passwd --stdin u`,
    `htpasswd -bc file u ${P}`,
    `htpasswd -nb u ${P}`,
  ])('%s', (text) => expectGone(text))

  it.each([
    'echo "$TOKEN" | docker login --password-stdin',
    'cat token.txt | docker login --password-stdin; htpasswd -c file me',
    '["docker","run","-p","8080:80","nginx"]',
    '["mysql","-uroot","-p"]',
    '["git","log","-p","HEAD~2"]',
    'auth = ("username", "password")',
    'auth("google", "calendar")',
    'echo root:x:0:0 | grep passwd; echo me:x:1:1 | sudo tee -a /etc/passwd',
    'echo whoami7 | sudo -s',
    "grep -u a:b1c2d3 file; setx PATH_KEY 'x'",
    'ENV TOKEN_FILE /run/secrets/token',
  ])('what is none stays: %s', (text) => expect(redactText(text).found).toEqual([]))
})

it.each([5, 65, 256])('a password of %i characters in a URL is found whole', (length) => {
  const password = 'k7-Qm82nLw'.repeat(26).slice(0, length)
  const { text, found } = redactText(`see postgres://me:${password}@host/db`)
  expect(text).toMatch(/^see postgres:\/\/me:\[REDACTED:\w+:[0-9a-f]+\]@host\/db$/)
  expect(found).toHaveLength(1)
})
