import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutToTokens } from '../../../src/context/tokens/cut.ts'
import { o200k } from '../../../src/context/tokens/index.ts'
import { wellFormed } from '../../../src/text/whole-characters.ts'
import { text } from '../../session/conversations.ts'

const tokenizer = await o200k()

describe('cutToTokens', () => {
  test('law: returns the text itself if it fits, else head and tail around a marker, never over the limit', () => {
    fc.assert(
      fc.property(text.map(wellFormed), fc.nat(300), (whole, limit) => {
        const cut = cutToTokens(whole, limit, tokenizer)
        expect(tokenizer.count(cut)).toBeLessThanOrEqual(limit)
        if (limit > 0 && tokenizer.count(whole) <= limit) {
          expect(cut).toBe(whole)
          return
        }
        if (cut === '') {
          expect(limit).toBeLessThan(20)
          return
        }
        const [head = '', tail = '', ...more] = cut.split('\n[… cut …]\n ')
        expect(more).toEqual([])
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
        expect(cut).not.toMatch(/\p{Surrogate}/u)
        expect(head.length + tail.length).toBeLessThan(whole.length)
      }),
      { numRuns: 300 },
    )
  })

  test('uses most of the limit, for dense and for sparse text', () => {
    for (const unit of ['word and another word, ', '漢字仮名', '%$#;!', 'international organisation '])
      expect(tokenizer.count(cutToTokens(unit.repeat(5000), 1000, tokenizer))).toBeGreaterThan(750)
  })
})
