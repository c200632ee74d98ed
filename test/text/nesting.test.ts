import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTooDeep } from '../../src/text/nesting.ts'

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

test('more than a thousand levels of lists or objects are too deep, whole or cut off', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"b":0,"a":', '}]'],
  ] as const) {
    const levels = open.startsWith('[{') ? 500 : 1000
    expect(isTooDeep(nested(levels, open, close))).toBe(false)
    expect(isTooDeep(nested(levels + 1, open, close))).toBe(true)
    expect(isTooDeep(open.repeat(levels + 1) + ' '.repeat(2000))).toBe(true)
  }
})

test('brackets in strings are not levels, whatever is escaped in them', () => {
  for (const text of ['[', '"[', '\\"[', '\\\\', '{"', '\n['])
    expect(isTooDeep(JSON.stringify(Array.from({ length: 2000 }, () => text.repeat(3))))).toBe(false)
})

test('law: the JSON of a value is as deep as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 990, max: 1010 }), (value, levels) => {
      const inner = JSON.stringify(value)
      const depth = levels + depthOf(value)
      expect(isTooDeep(`${'['.repeat(levels)}${inner}${']'.repeat(levels)}${' '.repeat(2000)}`)).toBe(
        depth > 1000,
      )
    }),
  )
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
