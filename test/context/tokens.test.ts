import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimate, o200k } from '../../src/context/tokens.ts'
import { text } from '../session/conversations.ts'

const tokenizer = await o200k()
const exact = (whole: string) => countTokens(whole, { disallowedSpecial: new Set<string>() })

/** What has no break for long, so that it is counted in pieces. */
const run = fc
  .tuple(fc.constantFrom('=', ' ', 'a', '漢', '-=', '/\n'), fc.nat(4000))
  .map(([unit, times]) => unit.repeat(times))

test('law: the count is that of o200k; a long run without a break may count a little more, never less', () => {
  fc.assert(
    fc.property(text, run, text, (a, b, c) => {
      const whole = a + b + c
      const counted = tokenizer.count(whole)
      expect(counted).toBeGreaterThanOrEqual(exact(whole))
      expect(counted).toBeLessThanOrEqual(exact(whole) + 8 * Math.floor(whole.length / 1024))
    }),
    { numRuns: 300 },
  )
})

test('law: with a limit the count is the same up to it, and Infinity beyond', () => {
  fc.assert(
    fc.property(text, fc.nat(400), (whole, limit) => {
      const all = tokenizer.count(whole)
      expect(tokenizer.count(whole, limit)).toBe(all <= limit ? all : Number.POSITIVE_INFINITY)
    }),
    { numRuns: 300 },
  )
})

test('what looks like a special token is text', () => {
  expect(tokenizer.count('<|endoftext|>')).toBeGreaterThan(1)
})

test.each(['=', '/\n'])('a megabyte of %j is counted before the test runs out of time', (unit) => {
  expect(tokenizer.count(unit.repeat(1_000_000 / unit.length))).toBeGreaterThan(10_000)
})

test('the estimate says that it is one, and errs on the high side of real talk', () => {
  expect(estimate.exact).toBe(false)
  const prose = readFileSync('README.md', 'utf8')
  for (const whole of [
    prose,
    readFileSync('src/context/build.ts', 'utf8'),
    '会話を再開する',
    'Größe und Übermut',
    '',
  ])
    expect(estimate.count(whole)).toBeGreaterThanOrEqual(exact(whole))
})
