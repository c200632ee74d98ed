import { expect, test } from 'vitest'
import { blocksOf, plainText } from '../../../../src/clients/shared/transcript/fields.ts'

test('any value of a transcript becomes a text, even one with a toString of its own', () => {
  const odd = [{ toString: 0 }]
  expect(() => String(odd)).toThrow()
  expect(plainText(odd)).toBe('[{"toString":0}]')
  expect(blocksOf([odd, 'said', null])).toEqual([
    { type: 'text', text: '[{"toString":0}]' },
    { type: 'text', text: 'said' },
    { type: 'text', text: 'null' },
  ])
})
