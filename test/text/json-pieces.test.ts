import { expect, test } from 'vitest'
import { jsonPieces } from '../../src/text/json-pieces.ts'

const MEGABYTE = 1024 * 1024

test('the pieces of JSON joined are the JSON, and none of them is long', () => {
  const long = `"\\\n\u0000${'word '.repeat(MEGABYTE)}`
  const values = [
    'short',
    long,
    '',
    null,
    3,
    [],
    {},
    { b: 1, a: undefined, text: 'short', list: [undefined, null, true] },
    { role: 'user', content: long, none: undefined, 'a "key"': [{ type: 'text', text: long }, 1, null] },
    [long, undefined, { in: { it: long }, empty: {}, list: [] }],
    { none: undefined, content: long },
  ]
  for (const value of values) {
    const pieces = [...jsonPieces(value)]
    expect(pieces.join('') === JSON.stringify(value)).toBe(true)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1.1 * MEGABYTE)
  }
})

test('pieces are the same bytes as the whole, wherever halves of a surrogate pair are', () => {
  for (const text of ['😀', '\ud83d', '\ude00', '\ud83d\ud83d\ude00\ude00']) {
    for (const offset of [0, 1, 2, 3]) {
      const value = { content: `${'x'.repeat(MEGABYTE - offset)}${text}${'é'.repeat(offset)}`.repeat(2) }
      const bytes = Buffer.concat(Array.from(jsonPieces(value), (piece) => Buffer.from(piece)))
      expect(bytes.equals(Buffer.from(JSON.stringify(value)))).toBe(true)
    }
  }
})
