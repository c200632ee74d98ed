import { expect, test } from 'vitest'
import { o200k } from '../../src/context/tokens/index.ts'
import { conversations, worthOf } from './worth/measure.ts'

const NOISE = 0.2

test('what matters is still there: of facts planted in long conversations 98 % within 8,000 tokens, all within 20,000', async () => {
  const tokenizer = await o200k()
  const planted = conversations(20, NOISE)
  const all = planted.reduce((sum, { facts }) => sum + facts.length, 0)
  expect(all).toBe(200)
  expect(worthOf(planted, 8000, tokenizer).missed.length / all).toBeLessThanOrEqual(0.02)
  expect(worthOf(planted, 20_000, tokenizer).missed).toEqual([])
  // The measure can fail: what was never said is not found, and with no room nothing is.
  expect(worthOf(planted, 300, tokenizer).share).toBeLessThan(0.2)
})
