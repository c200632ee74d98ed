import { describe, expect, it } from 'vitest'
import { redactText } from '../../src/redact/index.ts'
import { allPatterns } from './all-patterns.ts'
import { growthOf } from './ambiguity.ts'

it.each<[RegExp, string | undefined]>([
  [/^(?:your|my)(?:[-_ ]?[a-z]+){1,12}\d?$/i, 'two ways on within a loop'],
  [/^(?:a+)+$/, 'two ways on within a loop'],
  [/^(?:a|b|ab)+$/, 'a loop at'],
  [/(?:[.,]|\*\*)+$/, 'a loop at'],
  [/\{\{.*\}\}/, 'a loop at'],
  [/[a-z].*[0-9].*[a-z]/, 'a loop at'],
  [/name\\*,?\\+n/y, 'a loop at'],
  [/^\w*\d*$/, 'a loop at'],
  [/x(?=a+a+b)/y, 'a loop at'],
  [/a{0,400}a{0,400}b/y, 'a loop at'],
  [/^(?:your|my)[-_ ]?[a-z]+(?:[-_ ][a-z]+){0,11}\d?$/i, undefined],
  [/[. ]+/, undefined],
  [/^[^a]*a[^b]*b/, undefined],
  [/a{0,40}a{0,40}b/y, undefined],
  [/<[^<>]*>/, undefined],
])('what reads a text in many ways is known: %s', (regex, growth) => {
  if (growth === undefined) expect(growthOf(regex)).toBeUndefined()
  else expect(growthOf(regex)).toContain(growth)
})

it('no regular expression of the redaction takes more than linear time', async () => {
  const { written, made } = await allPatterns()
  expect(written.length).toBeGreaterThan(100)
  expect(made.length).toBeGreaterThan(160)
  const slow = [...written, ...made].flatMap((regex) => {
    const growth = growthOf(regex)
    return growth === undefined ? [] : [`${regex}: ${growth}`]
  })
  expect(slow).toEqual([])
})

/**
 * What stands behind a telling name may be a stand-in up to its very last letter. Where a rule reads it in more than
 * one way, these texts never end.
 */
describe('a value that turns out wrong at its end is read to its end', () => {
  const STARTS = [
    ...'your my the some any insert enter put add fake sample'.split(' '),
    '$',
    '<',
    '{{',
    '(',
    'a.',
    '',
  ]
  const FILLINGS = ['a', 'aA', 'a_', 'a-', 'a.', 'a(', '.', '**', '{', '{{', '\\', '-', '11a', '=>', '[']
  const NAMES = [
    'password=',
    'password: "',
    'Authorization: Bearer ',
    'the token is ',
    '| secret | ',
    '--token ',
  ]
  it.each(STARTS)('after %j', (start) => {
    for (const name of NAMES) {
      for (const filling of FILLINGS) {
        const text = `${name}${start}${filling.repeat(3000 / filling.length)}!`
        const once = redactText(text).text
        expect(redactText(once).text).toBe(once)
      }
    }
  })

  it('a password of sixty letters after `my` is found', () => {
    expect(redactText(`password=my${'a'.repeat(60)}!`).found).toEqual([
      { kind: 'password', hash: expect.any(String) },
    ])
  })

  it.each([
    'Authorization: Bearer PuTTY-User-Key-File-',
    'password=theinstitutionalrepresentativescommittee_v2.1_internationalization ',
    `password${'\\'.repeat(2000)}`,
    `secret=${'.'.repeat(2000)}x `,
    `token is 11${'a'.repeat(2000)} `,
    `api_key="${'{'.repeat(2000)}" `,
    `az ${'az '.repeat(60)}; -p aaaa -p bbbb`,
  ])('a text that repeats it for 200,000 letters: %.60s', (piece) => {
    const text = piece.repeat(200_000 / piece.length)
    expect(redactText(redactText(text).text).found).toEqual([])
  })
})
