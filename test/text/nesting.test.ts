import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTooDeep, parseForeign } from '../../src/text/nesting.ts'

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

test('law: JSON of another program is parsed as it is, and what is nested too deep becomes its text', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.jsonValue(),
      fc.integer({ min: 490, max: 510 }),
      (value, beside, levels) => {
        const [inner, other] = [JSON.stringify(value), JSON.stringify(beside)]
        fc.pre(!/"[[{]/.test(inner + other))
        const whole = `${'{"a":['.repeat(levels / 2)}${inner},${other}${']}'.repeat(levels / 2)}${' '.repeat(2000)}`
        const parsed = parseForeign(whole)
        expect(isTooDeep(JSON.stringify(parsed) + ' '.repeat(2000), 500)).toBe(false)
        expect(withTextsParsed(parsed, 0)).toEqual(JSON.parse(whole))
      },
    ),
  )
})

test('a hundred thousand levels are one text, and JSON that is cut off is none', () => {
  const deep = nested(100_000, '{"a":', '}').replace(':}', ':1}')
  expect(JSON.stringify(parseForeign(`{"deep":${deep},"b":2}`))).toContain('"b":2')
  expect(() => parseForeign(deep.slice(0, -1))).toThrow(SyntaxError)
})

/** Undoes what parseForeign does at its 500th level. */
function withTextsParsed(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return depth === 500 && /^[[{]/.test(value) ? JSON.parse(value) : value
  if (Array.isArray(value)) return value.map((one) => withTextsParsed(one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTextsParsed(one, depth + 1)]))
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
