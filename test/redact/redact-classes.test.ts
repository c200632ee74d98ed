import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/redact/index.ts'
import { ALNUM, drawer, HEX, pem, TOKENS } from './redact-corpus.ts'

const d = drawer(11)
const AWS_SECRET = `${d(20)}7/a+Q${d(15)}`
const KEY_ID = `AK${'IA'}QWERTYUIOPASDFGH`
const COLOUR = '\u001b[31m'

/** A key as lines, each written by `write`; the parts that must be gone are a line in the middle and the last one. */
function keyIn(write: (line: string, i: number) => string, join = '\n'): [string, ...string[]] {
  const lines = pem(drawer(12), 'RSA PRIVATE KEY').split('\n')
  return [lines.map(write).join(join), lines[3]!, lines.at(-2)!]
}

describe('a private key is found whatever stands between its lines (E-20)', () => {
  it.each<[string, [string, ...string[]]]>([
    ['removed in a diff', keyIn((line) => `-${line}`)],
    ['added in a diff', keyIn((line) => `+${line}`)],
    ['in colour', keyIn((line) => `${COLOUR}-${line}\u001b[m`)],
    ['in colour, as JSON', jsonOf(keyIn((line) => `${COLOUR}-${line}\u001b[m`))],
    ['with numbered lines', keyIn((line, i) => `${String(i + 1).padStart(6)}→${line}`)],
    ['found by a search', keyIn((line, i) => `certs/dev/key.pem:${i + 1}:${line}`)],
    ['cited', keyIn((line) => `> ${line}`)],
    ['as strings of code', keyIn((line) => `"${line}\\n" +`, '\n  ')],
    ['as an array of JSON', keyIn((line) => `  "${line}"`, ',\n')],
    ['in short lines', shortLines()],
    ['of PuTTY', puttyKey()],
    ['in base64', encodedKey((text) => text)],
    ['in base64, wrapped', encodedKey((text) => text.replace(/.{76}/g, '$&\n'))],
    ['in base64, as a data URI', encodedKey((text) => `data:text/plain;base64,${text}`)],
  ])('%s', (_, [text, ...parts]) => {
    const redacted = redactText(text).text
    for (const part of parts) expect(redacted).not.toContain(part)
    expect(redactText(redacted)).toEqual({ text: redacted, found: [] })
  })

  it('an array of JSON stays an array', () => {
    const lines = pem(drawer(12), 'PRIVATE KEY').split('\n')
    const parsed = JSON.parse(redactText(JSON.stringify({ lines }, null, 2)).text)
    expect(parsed.lines).toHaveLength(lines.length)
  })

  it('a certificate in base64 is not a secret', () => {
    const text = Buffer.from(pem(drawer(12), 'CERTIFICATE')).toString('base64')
    expect(redactText(`certificate-authority-data: ${text}`).found).toEqual([])
  })
})

describe('a password is found however it looks (E-20)', () => {
  const passwords = [
    'TromboneLantern',
    'xKqWzPlmRvTb',
    'correct-horse-battery-staple',
    'MyDogRex2019!',
    'theRain4Spain',
    'AddMoreSalt99',
    'PuttingGreen7',
    'a(b7#kLm2',
    'ab7,cd;ef)9xyz',
    'abc7&dEf9xyz',
  ]
  it.each(passwords)('%s in .env, JSON and YAML', (password) => {
    for (const text of [
      `PORT=1\nDB_PASS${'WORD'}=${password}\nX=1`,
      JSON.stringify({ port: 1, password, x: 1 }, null, 2),
      `db:\n  port: 1\n  pass${'word'}: ${password}\n  x: 1`,
    ]) {
      expect(redactText(text).text).not.toContain(password.slice(-5))
    }
  })
})

describe('a secret apart from its name is found (E-20)', () => {
  it.each<[string, string, string]>([
    ['a dialogue', `AWS Access Key ID [None]: x\nAWS Secret Access Key [None]: ${AWS_SECRET}\n`, AWS_SECRET],
    ['a dialogue with a mask', `AWS Secret Access Key [****************ABCD]: ${AWS_SECRET}`, AWS_SECRET],
    ['a CSV of AWS', `Access key ID,Secret access key\n${KEY_ID},${AWS_SECRET}`, AWS_SECRET],
    ['a CSV of passwords', 'User name,Password,Console link\nbob,Xk3!aa9zQ,https://x', 'Xk3!aa9zQ'],
    ['a table', `| Name | Secret access key |\n|---|---|\n| ci | ${AWS_SECRET} |`, AWS_SECRET],
    ['a row of a table', `| Secret access key    | ${AWS_SECRET} |`, AWS_SECRET],
    ['a table of lines', `│ Name │ Api key │\n├──┼──┤\n│ ci │ ${d(32)} │`, ' │ ci │ '],
    ['YAML of Kubernetes', '- name: DB_PASSWORD\n  value: Xk3!aa9zQ', 'Xk3!aa9zQ'],
    ['JSON of a task', '{"name": "DB_PASSWORD", "value": "Xk3!aa9zQ"}', 'Xk3!aa9zQ'],
    ['the line below its id', `${KEY_ID}\n${AWS_SECRET}`, AWS_SECRET],
    ['the line below its id, as JSON', JSON.stringify(`${KEY_ID}\n${AWS_SECRET}`), AWS_SECRET],
  ])('in %s', (_, text, secret) => {
    const { text: redacted, found } = redactText(text)
    expect(found.length).toBeGreaterThan(0)
    if (!secret.startsWith(' ')) expect(redacted).not.toContain(secret.slice(-8))
  })

  it('letters at the end of the search near an id stay if they are not a run of forty', () => {
    const lines = Array.from({ length: 20 }, () => d(64)).join('\\n')
    for (let gap = 0; gap < 70; gap++) {
      const text = `${KEY_ID} ${'.'.repeat(gap)}\\n${lines}`
      expect(redactText(text).found).toHaveLength(1)
    }
  })

  it('a secret is found in a value with a name next to it', () => {
    expect(JSON.stringify(redactValue([{ name: 'DB_PASSWORD', value: 'Xk3!aa9zQ' }]).value)).not.toContain(
      'Xk3',
    )
  })
})

describe('a secret in a command, a header, a statement, a file is found (E-20)', () => {
  const long = drawer(13)(6000)
  const token = drawer(14)(40)
  it.each<[string, string]>([
    [`docker login -u bob -p hunter2hunter registry.local`, 'hunter2hunter'],
    [`az login --service-principal -u app -p Xk3.aa9~zQ --tenant t`, 'Xk3.aa9~zQ'],
    [`redis-cli -h h -a s3cretPw! ping`, 's3cretPw!'],
    [`CREATE USER bob WITH PASSWORD 'hunter2!';`, 'hunter2!'],
    [`ALTER ROLE bob PASSWORD 'TromboneLamp';`, 'TromboneLamp'],
    [`CREATE USER 'bob'@'%' IDENTIFIED BY 'hunter2!';`, 'hunter2!'],
    ['db.local:5432:app:bob:hunter2!x', 'hunter2!x'],
    ['*:*:*:postgres:hunter2!x', 'hunter2!x'],
    [`curl -b 'sid=${token}' https://x`, token],
    [`.local\tTRUE\t/\tTRUE\t1799999999\tuser_session\t${token}`, token],
    ['postgres://bob:ab/c7Xk@db.local:5432/x', 'c7Xk'],
    ['https://bob:ab/c7Xk@db.local/x', 'c7Xk'],
    [`Authorization: ApiKey ${token}`, token],
    [`Authorization: SSWS 00${token.slice(0, 30)}`, token.slice(10, 30)],
    [
      `Authorization: GenieKey ${drawer(15)(8, HEX)}-${drawer(16)(4, HEX)}-4ba2-a551-1afdf565c889`,
      '1afdf565c889',
    ],
    [`x-functions-key: ${token}==`, token],
    [`const mistralKey = "${token.slice(0, 32)}"`, token.slice(10, 32)],
    [`SECRET_KEY = 'django-insecure-#8s$k(x)2v^7&q!m@z9w+e5r*t1y_u3i'`, 't1y_u3i'],
    [`SECRET_KEY = '#8s$k(x)2v^7&q!m@z9w+e5r*t1y_u3i-o0paslk'`, 'o0paslk'],
    [`{"api_key": "${long}"}`, long.slice(-20)],
    [`{"password": "${long}!"}`, long.slice(-20)],
    [`https://a.blob.local/c/f?sv=2022-11-02&sp=r&sig=${token}abc%3D`, token],
  ])('%s', (text, secret) => {
    expect(redactText(text).text).not.toContain(secret)
  })
})

describe('newer kinds of token (E-20)', () => {
  const t = (n: number, alphabet = ALNUM) => drawer(n)(n, alphabet)
  it.each<[string, string]>([
    ['cloudflare-token', `cf${'ut_'}${t(40)}${t(8, HEX)}`],
    ['nvidia-key', `nv${'api-'}${t(64)}`],
    ['e2b-key', `e2${'b_'}${t(40, HEX)}`],
    ['jina-key', `ji${'na_'}${t(60)}`],
    ['wandb-key', `wandb${'_v1_'}${t(77)}`],
    ['snyk-token', `snyk${'_uat.'}${t(8, HEX)}.eyJ${t(60)}.${t(61)}`],
    ['azure-registry-password', `${t(42)}+AC${'R'}${t(6)}`],
    ['azure-key', `${t(52)}JQQJ${'99'}${t(26)}`],
  ])('%s', (kind, token) => {
    expect(redactText(`x ${token} y`)).toMatchObject({
      text: expect.stringMatching(/^x \[\S+\] y$/),
      found: [{ kind }],
    })
  })
})

describe('what only looks like it is left alone', () => {
  it.each([
    '--- PASS: TestX/sub (0.00s)',
    '    --- PASS: TestSessionMentionsProject/1ns_beyond_window (0.01s)',
    '  PASS src/a.test.ts',
    's.handleUploadPackV2LSRefs(ctx)',
    'grep: /proc/sys/net/ipv6/conf/all/stable_secret: Input/output error',
    'password: SecretStr',
    'password: PasswordField\nname: CharField',
    'password: hash(req.body.password, 10)',
    'password: !!str',
    'secretName: my-app-tls',
    'secret: existingSecretName',
    'docker run -p 8080:80 nginx; mkdir -p foo/bar; ls -a src',
    'http://localhost:3000/@vite/client https://unpkg.local:443/lib/a@1.2.3',
    'const cacheKey = "users:list:2024"',
    'workspaceRoot, pass\n\t\tdepth++,\n\t\tnext: nil,',
    'First, I run the tests. Now, all of them pass,\nincluding those of `x`, which fail, and y',
    'go test ./... 2>&1 | grep -E "PASS|FAIL|ok"\nok | a | b',
    `use eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0'}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV`,
    'pass `cloudURL` to the command, and set `x`',
  ])('%s', (text) => {
    expect(redactText(text)).toEqual({ text, found: [] })
  })
})

function jsonOf([text, ...parts]: [string, ...string[]]): [string, ...string[]] {
  return [JSON.stringify(text), ...parts]
}

function shortLines(): [string, ...string[]] {
  const lines = Array.from({ length: 12 }, () => d(20))
  return [
    `-----BEGIN EC PRIVATE KEY-----\n${lines.join('\n')}\n-----END EC PRIVATE KEY-----`,
    lines[3]!,
    lines[11]!,
  ]
}

function puttyKey(): [string, ...string[]] {
  const lines = [d(64), d(64), d(40)]
  return [
    `Public-Lines: 1\nAAAA\nPrivate-Lines: 3\n${lines.join('\n')}\nPrivate-MAC: 00aa`,
    lines[1]!,
    lines[2]!,
  ]
}

function encodedKey(write: (text: string) => string): [string, ...string[]] {
  const text = Buffer.from(pem(drawer(17), 'RSA PRIVATE KEY')).toString('base64')
  return [write(text), text.slice(100, 140), text.slice(-40)]
}

it('a token between the id and the secret of an AWS key is found by its own shape', () => {
  const token = TOKENS['github-token']!(d)
  const text = `${KEY_ID}\n${token}\n${AWS_SECRET}\n`
  expect(redactText(text).found.map(({ kind }) => kind)).toEqual([
    ...['aws-access-key-id', 'github-token', 'aws-secret-key'],
  ])
})

it.each([
  ['with numbers', (line: string, n: number) => `${String(n + 1).padStart(6)}→${line}`],
  ['of a diff', (line: string) => `+${line}`],
  ['far in', (line: string) => `${' '.repeat(12)}${line}`],
])('the key of an OpenVPN is found in a listing %s', (_, write) => {
  const hex = Array.from({ length: 16 }, () => d(32, HEX))
  const lines = ['-----BEGIN OpenVPN Static key V1-----', ...hex, '-----END OpenVPN Static key V1-----']
  const { text } = redactText(lines.map(write).join('\n'))
  for (const line of hex) expect(text).not.toContain(line)
})

it('a name that ends in pword announces a password', () => {
  expect(redactText('const dbPword = "kR7#mQ2vLx9p"').found).toHaveLength(1)
})
