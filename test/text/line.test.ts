import { expect, test } from 'vitest'
import { shortLine } from '../../src/text/line.ts'

test('a short line of a long text is its beginning, and shows that there is more', () => {
  expect(shortLine('one\ntwo', 20)).toBe('one two')
  expect(shortLine('The quick brown fox jumps', 12)).toBe('The quick…')
  const gap = ' '.repeat(10_000)
  expect(shortLine(`${gap}one${gap}two`, 20)).toBe('one …')
  expect(shortLine('word '.repeat(10_000), 12)).toBe('word word…')
})
