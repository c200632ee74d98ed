import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugOf } from '../../src/workspace/slug.ts'

const titles = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 500 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(fc.constantFrom('a', 'ß', 'щ', '語', '𠀀', ' ', '-', '\u0301', 'ि', '.', '/'), { maxLength: 200 })
    .map((all) => all.join('')),
)

test('E-3 a slug is never empty, at most 60 characters and 200 bytes, and only safe characters', () => {
  fc.assert(
    fc.property(titles, (title) => {
      const slug = slugOf(title)
      expect(slug).toMatch(/^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]*(-[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]*)*$/u)
      expect(slug).not.toMatch(/[A-Z]/)
      expect(slug.length).toBeLessThanOrEqual(60)
      expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(200)
    }),
    { numRuns: 500 },
  )
})

test('a slug is its own slug', () => {
  fc.assert(
    fc.property(titles, (title) => {
      expect(slugOf(slugOf(title))).toBe(slugOf(title))
    }),
  )
})

test('E-3 long titles are cut between words', () => {
  expect(slugOf('word '.repeat(100))).toBe(`${'word-'.repeat(11)}word`)
  expect(slugOf(`${'a'.repeat(59)} bcd`)).toBe('a'.repeat(59))
  expect(slugOf(`${'a'.repeat(60)} bcd`)).toBe('a'.repeat(60))
  expect(slugOf('x'.repeat(500))).toBe('x'.repeat(60))
  expect(slugOf('設'.repeat(500))).toBe('設'.repeat(60))
})

test('apostrophes do not part words', () => {
  expect(slugOf("Don't Panic: it’s fine")).toBe('dont-panic-its-fine')
})
