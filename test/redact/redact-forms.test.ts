import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/redact/index.ts'
import { ALNUM, drawer } from './redact-corpus.ts'

const d = drawer(4711)
const SECRET = `Q7x${d(15, ALNUM)}m2`

it.each(['アクセスキー', '액세스 키', '访问密钥', 'clé secrète'])(
  '%s announces a key, not a password',
  (label) => {
    expect(redactText(`${label}: root-ca5`).found).toEqual([])
    expect(redactText(`${label}: ${SECRET}`).found).toHaveLength(1)
  },
)

describe('a secret is found in a form that is not one line of code', () => {
  it.each([
    ['XML of several lines', `<password>\n    ${SECRET}\n</password>`],
    ['XML of several lines in a diff', `+<password>\n+    ${SECRET}\n+</password>`],
    ['name and value elements', `<name>db.password</name>\n  <value>${SECRET}</value>`],
    ['a plist', `<key>apiKey</key>\n<string>\n  ${SECRET}\n</string>`],
    ['a row of HTML', `<tr><td>Password</td><td>${SECRET}</td></tr>`],
    ['XML that XML contains', `<out>&lt;password&gt;${SECRET}&lt;/password&gt;</out>`],
    ['a description of kubectl', `Data\n====\nDB_PASSWORD:\n----\n${SECRET}\n\nBinaryData\n====`],
    ['a fence below a label', `The password:\n\`\`\`\n${SECRET}\n\`\`\``],
    ['a field of a form', `Content-Disposition: form-data; name="password"\n\n${SECRET}\n--x`],
    ['columns', `NAME    DB_PASSWORD\napp     ${SECRET}`],
    ['two columns', `token               ${SECRET}`],
    ['a comparison from the right', `if "${SECRET}" == password {`],
    ['a setter', `client.setPassword("${SECRET}")`],
    ['a type of its own', `let token: Option<String> = "${SECRET}";`],
    ['braces of C++', `std::string password{"${SECRET}"};`],
    ['three quotes', `val password = """${SECRET}"""`],
    ['an arrow', `password => ${SECRET}`],
    ['a key of another language', `clé secrète : ${SECRET}`],
    ['a label with other words', `пароль от базы: ${SECRET}`],
    ['a variable of another language', `MOT_DE_PASSE_ADMIN="${SECRET}"`],
    ['a sentence of another language', `パスワードは ${SECRET}`],
    ['a sign that looks alike', `password：${SECRET}`],
    ['signs without a width', `password\u2060=\u200e${SECRET}`],
    ['a space that does not break', `password\u00a0=\u00a0${SECRET}`],
  ])('%s', (_, text) => {
    const { text: redacted, found } = redactText(text)
    expect(redacted).not.toContain(SECRET.slice(-8))
    expect(found).toHaveLength(1)
    expect(redactText(text.replace(SECRET, 'required'))).toEqual({
      text: text.replace(SECRET, 'required'),
      found: [],
    })
  })

  it('the last lines of a private key, plain, numbered and in JSON', () => {
    const lines = [d(64), d(64), d(40), `-----END ${'PRIVATE'} KEY-----`]
    const tail = lines.join('\n')
    for (const text of [
      tail,
      lines.map((line, n) => `  ${n + 30}→${line}`).join('\n'),
      JSON.stringify({ tail }),
    ])
      for (const line of lines.slice(0, 3)) expect(redactText(text).text).not.toContain(line.slice(0, 20))
    const message = `no line -----END ${'PRIVATE'} KEY----- was found`
    expect(redactText(message)).toEqual({ text: message, found: [] })
  })

  it('cookies in a list', () => {
    const cookie = `sid=${d(24, ALNUM)}; Path=/`
    expect(JSON.stringify(redactValue({ 'set-cookie': [cookie, 'a=b'] }).value)).not.toContain(
      cookie.slice(4, 20),
    )
    expect(redactText(`"set-cookie": [\n  "${cookie}"\n]`).text).not.toContain(cookie.slice(4, 20))
  })
})

describe('what looks like one of these forms is left alone', () => {
  it.each([
    'resp := &Response{Secret: &logical.Secret{Auth: auth}}',
    'AUTH_ID=\nAUTH_SECRET=\nAUTH_ISSUER=\n',
    'if (!user || password == "") {\n  return fail("no-password-1")',
    '<a id="opt-password" href="#opt-password" title="Password1">',
    "password: '%env(APP_SECRET)%'",
    'password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256',
    '- secret: root-ca5',
    'urn:k8s:secret:name:key1',
    '| `auth.password` | Redis&reg; password |',
    'withUsernameAndPassword("denied", "password")',
    '<constant>OPT_PASSWD</constant> (libcurl >= 7.73.0)\n</simpara>',
    '\u001b[34mpassword\u001b[0m: "\u001b[32mstring\u001b[0m"',
    'desenhar: Qx7kPm2vTz9',
  ])('%s', (text) => expect(redactText(text)).toEqual({ text, found: [] }))
})
