import { expect, test } from 'vitest'
import { o200k } from '../../src/context/tokens/index.ts'
import { LANGUAGES } from './worth/languages/index.ts'
import { contextOf, conversations, worthOf } from './worth/measure.ts'

const NOISE = 0.2

test('contexts of 4,000 tokens have 95 % of the facts planted in long conversations, those of 20,000 tokens all', async () => {
  const tokenizer = await o200k()
  const planted = conversations(20, NOISE)
  const all = planted.reduce((sum, { facts }) => sum + facts.length, 0)
  expect(all).toBe(200)
  expect(worthOf(planted, 4000, tokenizer).share).toBeGreaterThanOrEqual(0.95)
  expect(worthOf(planted, 20_000, tokenizer).missed).toEqual([])
  // The measure can fail: what was never said is not found, and with no room nothing is.
  expect(worthOf(planted, 300, tokenizer).share).toBeLessThan(0.2)
})

test.each(['known', 'heldOut'] as const)(
  'no language is at a disadvantage: German, Chinese, Japanese and English facts in %s words differ by five points at most',
  async (words) => {
    const tokenizer = await o200k()
    for (const budget of [4000, 8000]) {
      const shares = LANGUAGES.map(
        (language) => worthOf(conversations(10, NOISE, { words, language }), budget, tokenizer).share,
      )
      expect(Math.max(...shares) - Math.min(...shares), `${budget} tokens`).toBeLessThanOrEqual(0.05)
      expect(Math.min(...shares)).toBeGreaterThan(0.85)
    }
  },
)

test('law: a larger budget never has fewer facts of the state', async () => {
  const tokenizer = await o200k()
  let told = 0
  for (const { messages, facts } of conversations(10, NOISE)) {
    let before = new Set<string>()
    for (let budget = 1500; budget <= 12_000; budget = Math.floor(budget * 1.2)) {
      const text = contextOf(messages, budget, tokenizer)
      for (const mark of before) expect(text, `${mark} in ${budget} tokens`).toContain(mark)
      const [state = ''] = text.split('## Recent Messages Follow')
      before = new Set(facts.flatMap(({ mark }) => (state.includes(mark) ? [mark] : [])))
      told += before.size
    }
  }
  expect(told).toBeGreaterThan(100)
})
