import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inParts } from '../../src/text/in-parts.ts'

const text = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\n', '\n\n', '日本', '🎉🎉🎉', 'a long line ')),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(''))
const size = fc.record({ bytes: fc.integer({ min: 4, max: 60 }), lines: fc.integer({ min: 1, max: 6 }) })

test('law: the parts joined are the text, and none is longer than the limit', () => {
  fc.assert(
    fc.property(text, size, (whole, limit) => {
      const parts = inParts(whole, limit)
      expect(parts.join('')).toBe(whole)
      for (const part of parts) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(limit.bytes)
        expect(part.split(/(?<=\n)/).length).toBeLessThanOrEqual(limit.lines)
        expect(part, 'no character is cut in two').not.toMatch(/\p{Surrogate}/u)
      }
    }),
  )
})

test('a text is cut after lines, and within a line only if that line is too long', () => {
  expect(inParts('one\ntwo\nthree\n', { bytes: 9, lines: 9 })).toEqual(['one\ntwo\n', 'three\n'])
  expect(inParts('one\ntwo\nthree\n', { bytes: 99, lines: 1 })).toEqual(['one\n', 'two\n', 'three\n'])
  expect(inParts('🎉🎉🎉', { bytes: 7, lines: 1 })).toEqual(['🎉', '🎉', '🎉'])
  expect(inParts('🎉🎉🎉', { bytes: 11, lines: 1 })).toEqual(['🎉', '🎉', '🎉'])
  expect(inParts('', { bytes: 9, lines: 9 })).toEqual([''])
})
