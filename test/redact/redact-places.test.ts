import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/redact/index.ts'
import { BASE58, drawer, HEX } from './redact-corpus.ts'

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

describe('a secret in lists and in the forms of other languages is found (E-20)', () => {
  const K = drawer(22)(43)
  const base58 = (length: number) => drawer(23)(length, BASE58)
  it.each([
    [`{"api_keys":["${T}","x"]}`, T],
    [JSON.stringify(JSON.stringify({ api_keys: ['x', T] })), T],
    ['{"api_keys":["Bn2it7MhmnFKm-Pw-0VGZvz2m6qxMoeEmX"]}', '6qxMoeEmX'],
    [`passwords:\n  - abc\n  - ${T}\nport: 1`, T],
    [`"password"\n  :\n  "${P}"`, P],
    [`config.secret_key_base = %q(${T})`, T],
    [`local password <const> = [[${T}]]`, T],
    [`{:api-key "${T}"}`, T],
    [`let accessToken = """\n${T}\n"""`, T],
    [`val apiKey: Option[String] = Some("${T}")`, T],
    [`apiKey = T.pack "${T}"`, T],
    [`builder.Configuration["Jwt:Key"] = "${K}";`, K],
    [`set(API_KEY "${T}")`, T],
    [`SetEnv API_KEY ${T}`, T],
    [`storePassword "${P}"`, P],
    [`<input type="password" name="pw" value="${P}">`, P],
    [`Driver={SQL Server};UID=sa;PWD={Qm82nLw$0-Wq};`, 'Qm82nLw'],
    [`{"name":"Authorization","value":"token ${K}"}`, K],
    [`export API_KEY=\\\n  ${K}`, K],
    [`{"kty":"OKP","crv":"Ed25519","d":"${K}"}`, K],
    [JSON.stringify({ body: JSON.stringify({ d: K, kty: 'OKP' }) }), K],
    [`aws configure set aws_session_token ${K}`, K],
    [`gcloud secrets versions add x --data-file=- <<< "${P}"`, P],
    [`pw: Qm82nLw!x`, 'Qm82nLw'],
    [`login: admin:Qm82nLw!x`, 'Qm82nLw'],
    [`creds: admin / Qm82nLw!x`, 'Qm82nLw'],
    [`username/password: bob/Qm82nLw!x`, 'Qm82nLw'],
    [`log in with Qm82nLw!x as password`, 'Qm82nLw'],
    [`le mot de passe c'est ${K}`, K],
    [`5K${base58(49)}`, base58(49)],
    [`Kx${base58(50)}`, base58(50)],
    [`xprv9s21ZrQH143K${base58(95)}`, base58(95)],
    [`https://x.webhook.office.com/webhookb2/${T}abcd/IncomingWebhook/${T}/${T}abcd`, `${T}abcd`],
  ])('%s', (text, secret) => expectGone(text, secret))

  it('lists and web keys of a JSON value', () => {
    const value = { api_keys: ['x', T], jwk: { kty: 'oct', k: K, x: 'Qx' } }
    const redacted = JSON.stringify(redactValue(value).value)
    expect(redacted).not.toContain(T)
    expect(redacted).not.toContain(K)
    expect(redacted).toContain('Qx')
  })

  it.each([
    'tokens: ["hello", "world2", "Foo"]',
    '{"passwords": ["db-password1"]}',
    'secrets:\n  - DB_PASSWORD\n  - apiKey2',
    `{"kty":"EC","x":"${K}","y":"${K}"}`,
    'login: see docs:/guide/Setup1',
    'set(token_dir "lib")',
    '{"password":[[],null]}',
  ])('what only looks like it stays: %s', (text) => expect(redactText(text).found).toEqual([]))
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
