import { expect, test } from 'vitest'
import { oneLine, shortLine } from '../../src/text/line.ts'

test('a short line of a long text is its beginning, and shows that there is more', () => {
  expect(shortLine('one\ntwo', 20)).toBe('one two')
  expect(shortLine('The quick brown fox jumps', 12)).toBe('The quick…')
  const gap = ' '.repeat(10_000)
  expect(shortLine(`${gap}one${gap}two`, 20)).toBe('one …')
  expect(shortLine('word '.repeat(10_000), 12)).toBe('word word…')
})

test('one line shows all that it contains: what shows nothing is left out, and emoji and scripts stay as they are', () => {
  expect(oneLine('a\u200bb \u{e0041}\u2060c\u00add')).toBe('ab cd')
  for (const text of ['👩‍💻 family', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم']) expect(oneLine(text)).toBe(text)
})
