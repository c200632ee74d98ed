import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/redact/index.ts'
import { SHAPES } from '../../src/redact/shapes/index.ts'
import { documentAt } from '../helpers/documents.ts'
import { CONTEXTS, drawer, HEX, heart, password, pem, SHAPES_OF_TEXT, TOKENS } from './redact-corpus.ts'

const SEEDS = [1, 2, 3]
const PLACEHOLDER = /\[REDACTED:[a-z0-9-]+:(?:[0-9a-f]{8}|[0-9a-f]{2})\]/

describe('every kind of token is found wherever it stands (E-20)', () => {
  for (const [kind, make] of Object.entries(TOKENS)) {
    it(kind, () => {
      for (const seed of SEEDS) {
        const token = make(drawer(seed))
        for (const write of Object.values(SHAPES_OF_TEXT)) {
          const { text, found } = redactText(write(token))
          expect(text).not.toContain(heart(token))
          expect(text).toMatch(PLACEHOLDER)
          expect(found.map((f) => f.kind)).toContain(kind.split(' ')[0])
        }
      }
    })
  }

  it.each([0, 43, 342])('an encrypted web token is replaced whole, with a key of %i letters', (key) => {
    const letters = drawer(7)
    const header = Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString('base64url')
    const token = [header, ...[key, 16, 200, 22].map((length) => (length === 0 ? '' : letters(length)))].join(
      '.',
    )
    const redacted = redactText(`token ${token} end`).text
    expect(redacted).toMatch(/^token \S+ end$/)
    for (const part of token.split('.').filter((one) => one !== '')) expect(redacted).not.toContain(part)
  })

  it('the page says how many kinds there are, and a new kind has a maker', () => {
    const kinds = new Set(SHAPES.map(({ kind }) => kind))
    expect(documentAt('docs/redaction.md'), 'a new kind: raise the number').toContain(
      `${kinds.size} kinds of token`,
    )
    const made = new Set(Object.keys(TOKENS).map((kind) => kind.split(' ')[0]!))
    const missing = [...kinds].filter((kind) => !made.has(kind))
    expect(missing.length, `a new kind: add it to TOKENS in redact-corpus.ts; ${missing}`).toBeLessThan(85)
  })
})

describe('a secret that only its surroundings give away is found (E-20)', () => {
  for (const [where, make] of Object.entries(CONTEXTS)) {
    it(where, () => {
      for (const seed of SEEDS) {
        const { text, secret } = make(drawer(seed))
        const redacted = redactText(text).text
        expect(redacted).not.toContain(secret.slice(-6))
        expect(redacted).toMatch(PLACEHOLDER)
      }
    })
  }
})

it('a secret that is exposed when another one is replaced is found too: two tokens without a sign between them (E-20)', () => {
  const tokens = [
    TOKENS['github-token']!(drawer(1)),
    TOKENS['npm-token']!(drawer(1)),
    TOKENS['gitlab-token']!(drawer(1)),
  ]
  const { text, found } = redactText(tokens.join(''))
  for (const token of tokens) expect(text).not.toContain(heart(token))
  expect(found.map(({ kind }) => kind)).toEqual(['github-token', 'npm-token', 'gitlab-token'])
  expect(redactText(text)).toEqual({ text, found: [] })
})

describe('what is no secret is left alone', () => {
  const d = drawer(9)
  const harmless: Record<string, string> = {
    'a commit': `commit ${d(40, HEX)}`,
    'a uuid': `id ${d(8, HEX)}-${d(4, HEX)}-${d(4, HEX)}-${d(4, HEX)}-${d(12, HEX)}`,
    'a checksum': `${d(64, HEX)}  file.tgz`,
    'the integrity of a lock file': `"integrity": "sha512-${d(86)}=="`,
    'ids of the clients': `toolu_01${d(22)} msg_01${d(22)} req_01${d(22)} call_${d(24)}`,
    'an id in a field': JSON.stringify({
      id: d(32),
      session_id: d(32, HEX),
      sha256: d(64, HEX),
      key: d(40, HEX),
    }),
    'a picture': `data:image/png;base64,${d(3000)}/AK${'IA'}${d(16, 'ABCDEFGH')}/${d(50)}==`,
    'a version beside a telling name': '"@inquirer/password": "^5.2.5"',
    'a stand-in in brackets': 'api_key: <your-api-key>, API_KEY="<your key>"',
    'a mask': 'PASSWORD=xxxxxxxx SECRET=********* token: "••••••••"',
    'a variable of a shell': 'TOKEN=${TOKEN} --token $GITHUB_TOKEN --password "$PW" PASSWORD="$(cat f)"',
    'a variable of a program':
      'apiKey: process.env.API_KEY, secret = os.environ["SECRET_1"], token=cfg.token2',
    'a template': 'token: {{ secrets.TOKEN_1 }} password: ${{ secrets.PW }}',
    dots: 'sk-... or ghp_... or Bearer ...',
    'the documented example of AWS': `AKIAIOSFODNN7${'EXAMPLE'} wJalrXUtnFEMI/K7MDENG/bPxRfiCY${'EXAMPLEKEY'}`,
    prose:
      'the password is wrong; a token: something short-lived. My secret: I never test. Basic authentication fails.',
    'a call': 'const password = getPassword(); token = await fetchToken(id1)',
    'a type': 'api_key: string, password: Option<String>, secret: uint256, token?: string',
    'a count of tokens': '"max_tokens": 4096, input_tokens=123456789, token_count: 99999999',
    'a path': 'PWD=/home/me/project1 key_file: /etc/ssl/k1.pem, SECRET=./secrets/file1',
    'a page of a list': `nextPageToken: "${d(40)}", public_key: "${d(40)}"`,
    'an import': "import { token2 } from './key1'",
    'code with both ends of a key':
      "s.startsWith('-----BEGIN PRIVATE KEY-----') && s.endsWith('-----END PRIVATE KEY-----')",
    'the form of a field': '<input type="password" name="password" placeholder="Your password">',
    'a URL without a password':
      'http://localhost:3000/@vite/client https://esm.sh/react@18 git@github.com:a/b',
    'a URL with a stand-in': 'postgres://user:password@localhost/db https://user:${TOKEN}@host/x',
    colours: '#a1b2c3,#d4e5f6,#0a1b2c,#3d4e5f',
  }
  for (const [what, text] of Object.entries(harmless)) {
    it(what, () => {
      expect(redactText(text)).toEqual({ text, found: [] })
    })
  }

  it('a value without secrets is returned as the same string or object', () => {
    const value = { a: ['text', { b: 1, c: null }], d: 'toolu_01' }
    expect(redactValue(value).value).toBe(value)
  })

  it('the data of a picture is not searched', () => {
    const data = `${d(40)}/AK${'IA'}${d(16, 'ABCDEFGH')}/${d(40)}`
    const value = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { inlineData: { mimeType: 'image/jpeg', data } },
    ]
    expect(redactValue(value)).toEqual({ value, found: [] })
  })
})

describe('the placeholder depends on the secret alone', () => {
  it('one password has one placeholder in a URL, a file, JSON and a command', () => {
    const secret = password(drawer(4)).replace('#', '%')
    const marks = [
      `postgres://me:${secret}@h/x`,
      `DB_PASS${'WORD'}=${secret}`,
      JSON.stringify({ password: secret }),
      `tool --pass${'word'} ${secret}`,
    ].map((text) => PLACEHOLDER.exec(redactText(text).text)?.[0])
    expect(new Set(marks).size).toBe(1)
    expect(marks[0]).toMatch(/^\[REDACTED:password:[0-9a-f]{2}\]$/)
  })

  it('a key in PEM has one placeholder as lines, in JSON, and in JSON in JSON', () => {
    const key = pem(drawer(5), 'RSA PRIVATE KEY')
    const json = JSON.stringify({ key })
    const marks = [key, json, JSON.stringify({ json })].map(
      (text) => PLACEHOLDER.exec(redactText(text).text)?.[0],
    )
    expect(new Set(marks).size).toBe(1)
    expect(JSON.parse(redactText(json).text)).toEqual({ key: marks[0] })
  })

  it('the hash of a token is the start of its sha256', () => {
    const token = TOKENS['github-token']!(drawer(1))
    const hash = createHash('sha256').update(token).digest('hex').slice(0, 8)
    expect(redactText(token)).toEqual({
      text: `[REDACTED:github-token:${hash}]`,
      found: [{ kind: 'github-token', hash }],
    })
  })

  it('a secret that a person may have made up shows 8 bits of its hash, in base64 too', () => {
    const basic = Buffer.from('me:hunter2hunter2hunter2').toString('base64')
    for (const text of [`Authorization: Ba${'sic'} ${basic}`, `PASS${'WORD'}=hunter2`]) {
      expect(redactText(text).found).toEqual([
        { kind: 'password', hash: expect.stringMatching(/^[0-9a-f]{2}$/) },
      ])
    }
  })
})

describe('values', () => {
  it('the value of a key that announces a secret is judged by the key, and a number stays', () => {
    const secret = password(drawer(6))
    const { value, found } = redactValue({
      password: secret,
      port: 5432,
      token: 12345678,
      env: { note: secret },
    })
    expect(value).toEqual({
      password: expect.stringMatching(PLACEHOLDER),
      port: 5432,
      token: 12345678,
      env: { note: secret },
    })
    expect(found).toHaveLength(1)
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  it('a header in an object is read with its name', () => {
    const { value } = redactValue({
      headers: { authorization: `Bea${'rer'} abc123def456`, accept: 'text/html' },
    })
    expect(value.headers).toEqual({ authorization: expect.stringMatching(PLACEHOLDER), accept: 'text/html' })
  })

  it('a flag in a list of arguments announces the next argument', () => {
    const secret = password(drawer(7))
    expect(redactValue(['run', '--password', secret, '-v']).value).toEqual([
      'run',
      '--password',
      expect.stringMatching(PLACEHOLDER),
      '-v',
    ])
  })

  it('a key of an object is redacted, and no entry is lost when two keys become equal', () => {
    const token = TOKENS['github-token']!(drawer(8))
    const mark = redactText(token).text
    const { value } = redactValue({ [token]: 1, [mark]: 2, ['__proto__']: 3 } as Record<string, number>)
    expect(Object.entries(value)).toEqual([
      [mark, 1],
      [`${mark}#2`, 2],
      ['__proto__', 3],
    ])
  })
})
