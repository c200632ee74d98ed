import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, fitCells, padCells } from '../../src/text/cells.ts'

test.each([
  ['plain', 5],
  ['数据', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['🚀', 2],
  ['👩‍👩‍👧', 2],
  ['！', 2],
  ['', 0],
])('%s takes %i cells', (text, cells) => {
  expect(cellsOf(text)).toBe(cells)
})

test.each([
  ['API design', 20, 'API design'],
  ['API design', 5, 'API…'],
  ['数据库设计', 5, '数据…'],
  ['数据库设计', 6, '数据…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
  ['anything', 0, ''],
])('%s in %i cells is %s', (text, cells, cut) => {
  expect(fitCells(text, cells)).toBe(cut)
})

test('law: a text that was cut fits, and begins as it did; a padded one is as wide as it should be', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 200 })
  fc.assert(
    fc.property(line, fc.nat({ max: 120 }), (text, cells) => {
      const cut = fitCells(text, cells)
      expect(cellsOf(cut)).toBeLessThanOrEqual(cells)
      if (cut !== text && cells > 0) expect(text.startsWith(cut.slice(0, -1))).toBe(true)
      expect(cellsOf(padCells(cut, cells))).toBe(cells)
    }),
  )
})
