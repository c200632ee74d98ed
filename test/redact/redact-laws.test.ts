import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from '../../src/redact/index.ts'
import { runs, TIME_FOR_RUNS } from '../helpers/long.ts'
import { ALNUM, CONTEXTS, drawer, TOKENS } from './redact-corpus.ts'

describe('laws', { timeout: TIME_FOR_RUNS }, () => {
  const pieces = fc.oneof(
    fc.tuple(fc.constantFrom(...Object.values(TOKENS)), fc.nat()).map(([make, seed]) => make(drawer(seed))),
    fc
      .tuple(fc.constantFrom(...Object.values(CONTEXTS)), fc.nat())
      .map(([make, seed]) => make(drawer(seed)).text),
    fc.constantFrom(
      ' ',
      '\n',
      '"',
      "'",
      '\\',
      '\\"',
      '\\n',
      ':',
      '=',
      ' = ',
      ': ',
      '@',
      '://',
      '/',
      ';',
      ',',
      '&',
      '-',
      '_',
      '[',
      ']',
      'password',
      'API_KEY',
      '--token',
      'Bearer ',
      'Cookie: a=',
      'login me password ',
      ';base64,',
      'sk-',
      'eyJ',
      '[REDACTED:',
      '[REDACTED:jwt:0123abcd]',
      'x',
      '7',
      'http',
      'curl -u a:',
      '["curl","-u","a:',
      'echo ',
      ' | docker login --password-stdin',
      'htpasswd -nb me ',
      'auth=("me","',
      'SET PASSWORD FOR me = ',
      'ENV DB_PASSWORD ',
      'password: |\n  ',
      '"value":"',
      '","name":"DB_PASSWORD"',
    ),
    fc.string({ maxLength: 8 }),
  )
  const texts = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))

  it('redacting twice is redacting once', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactText(text).text
        expect(redactText(once)).toEqual({ text: once, found: [] })
      }),
      runs(750, 6000),
    )
  })

  it('a text is returned unchanged exactly when nothing is found', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { text: redacted, found } = redactText(text)
        expect(redacted === text).toBe(found.length === 0)
      }),
      runs(250, 2000),
    )
  })

  it('a token has one placeholder, by itself and between words of any text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(TOKENS)),
        fc.nat(),
        fc.lorem({ maxCount: 20 }),
        fc.lorem({ maxCount: 20 }),
        (make, seed, before, after) => {
          const token = make(drawer(seed))
          const alone = redactText(token).text
          expect(redactText(`${before} ${token}\n${after} "${token}"`).text).toBe(
            `${before} ${alone}\n${after} "${alone}"`,
          )
        },
      ),
      runs(250, 2000),
    )
  })

  it('JSON stays JSON of the same structure, at every depth of escaping, and no number changes', () => {
    const leaf = fc.oneof(
      texts,
      fc.constantFrom('password', 'DB_PASSWORD', 'token', 'api_key'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        tie('record'),
        tie('named'),
      ),
      record: fc.dictionary(
        fc.constantFrom('a', 'password', 'api_key', 'text', 'token', 'value', 'Value', 'name', 'Key'),
        tie('tree'),
      ),
      named: fc.record({ name: fc.constantFrom('DB_PASSWORD', 'API_TOKEN'), value: tie('tree') }),
    }))
    fc.assert(
      fc.property(
        tree,
        fc.integer({ min: 0, max: 2 }),
        fc.constantFrom(0, 2, 4, '\t'),
        (value, depth, indent) => {
          let text = JSON.stringify(value, null, indent)
          for (let i = 0; i < depth; i++) text = JSON.stringify({ arguments: text })
          let parsed = JSON.parse(redactText(text).text)
          for (let i = 0; i < depth; i++) parsed = JSON.parse(parsed.arguments)
          expect(skeleton(parsed)).toEqual(skeleton(JSON.parse(JSON.stringify(value))))
          expect(skeleton(redactValue(value).value)).toEqual(skeleton(value))
        },
      ),
      runs(400, 3000),
    )
  })

  it.each([
    '["password",-1.00000001e+21]',
    '{\n  "name": "DB_PASSWORD",\n  "value": -1.00000001e+21\n}',
    JSON.stringify([{ a: { a: { a: 'password', value: -100, token: [] } } }], null, 2),
    JSON.stringify([{ a: 'password', value: true, token: [] }], null, '\t'),
    JSON.stringify({ name: 'API_TOKEN', value: 5e-324, b: null }, null, 4),
    JSON.stringify(JSON.stringify({ key: 'password', Value: -123456.5, b: null }, null, 2)),
    JSON.stringify(JSON.stringify([{ a: ['login me password :'] }, { a: false }], null, '\t')),
    JSON.stringify([['password: |\n  '], -5e-324, { name: 'DB_PASSWORD', value: null }]),
    JSON.stringify(JSON.stringify([['SET PASSWORD FOR me = '], [], { a: 'b' }])),
    JSON.stringify(['password:\n ', 12345678, 'echo ', 12345678, ' | docker login --password-stdin']),
    JSON.stringify(['docker login -p ', -12345678, 'auth=("me",', -12345678, 'htpasswd -nb me ', -12345678]),
    'env = { name: "DB_PASSWORD",\n  value: -1234.5e3,\n  x: 1 }',
  ])('what is no string behind a telling name is no secret: %j', (text) => {
    expect(redactText(text).found).toEqual([])
  })

  it('redacting a value twice is redacting it once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('password', 'x', 'authToken', 'cmd'), texts), (value) => {
        const once = redactValue(value).value
        expect(redactValue(once)).toEqual({ value: once, found: [] })
      }),
      runs(250, 2000),
    )
  })
})

describe('hostile texts are walked through once', () => {
  const LETTERS = 250_000
  const hostile = [
    'a',
    'sk-',
    '=',
    ' ',
    '\\',
    '"',
    '\\"',
    '-',
    '-----BEGIN ',
    '-----BEGIN RSA PRIVATE KEY-----\n',
    '://',
    '://a:',
    'eyJ',
    'eyJa.eyJ',
    '-eyJ',
    'secret, ',
    '| secret | ',
    'docker login -p ',
    'password',
    'password=',
    'password="',
    'password: \\"',
    'key key ',
    'curl -u ',
    'Cookie: a=b; ',
    'Bearer ',
    'login me password ',
    '[REDACTED:',
    ';base64,',
    'MT',
    'https://a:b',
    'A3-',
    'AKIA',
    '\\n',
    'PASSWORD=a\\',
    'Q~',
    'token is ',
    'password:\n  ',
    'password =\n  "',
    '["mysql","-p',
    '"-u","a:',
    'htpasswd -b -b ',
    'passwd -b a b ',
    'auth=("a","',
    'echo a | sudo -S ',
    'echo aaaa | --password-stdin',
    '"value":"aaaaa","name":"password",',
    'password","a":"b","c":"d",',
    'jdbc:oracle:thin:a/',
    'SET PASSWORD FOR a = ',
    'ENV PASSWORD ',
    'az login az login ',
    '-u -u curl ',
  ]
  it('no hostile text throws or takes for ever', () => {
    for (const piece of hostile) {
      // The whole length shows a search that never ends; a tenth of it shows what is found twice.
      expect(redactText(piece.repeat(LETTERS / piece.length)).text).not.toBe('')
      const once = redactText(piece.repeat(LETTERS / 10 / piece.length)).text
      expect(redactText(once).found).toEqual([])
    }
    expect(redactText(drawer(1)(LETTERS, `${ALNUM}+/`)).found).toEqual([])
  })
})

/** What may not change: all but the strings, and the names of keys that hold no secret. */
function skeleton(value: unknown): unknown {
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return value.map(skeleton)
  if (value === null || typeof value !== 'object') return value
  return Object.entries(value).map(([key, item]) => [key, skeleton(item)])
}
