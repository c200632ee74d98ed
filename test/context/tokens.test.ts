import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimate, o200k } from '../../src/context/tokens.ts'
import { text } from '../session/conversations.ts'

const tokenizer = await o200k()
const exact = (whole: string) => countTokens(whole, { disallowedSpecial: new Set<string>() })

test('law: the count is that of o200k; a long run without a break may count a little more, never less', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const counted = tokenizer.count(a + b)
      expect(counted).toBeGreaterThanOrEqual(exact(a + b))
      expect(counted).toBeLessThanOrEqual(exact(a + b) * 1.02 + 3 * Math.ceil((a + b).length / 256))
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

test('a megabyte without a break is counted before the test runs out of time', () => {
  expect(tokenizer.count('='.repeat(1_000_000))).toBeGreaterThan(10_000)
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
