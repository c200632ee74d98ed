import { expect, it } from 'vitest'
import { BIN } from '../helpers/workspace-lab.ts'
import { kept } from './product/kept.ts'
import { type Case, harmlessCases, isGone, secretCases, staysOut } from './product/product.ts'

/** Each third text of a product that is drawn anew; `npm run secrets` measures the whole and prints every cell. */
const SEED = 71

it('secrets are gone in the product of names, signs, values and wrappings, and harmless texts are not changed', () => {
  const secrets = some([...secretCases(1, SEED)].filter(({ cell }) => !staysOut(cell)))
  const harmless = some([...harmlessCases(1, SEED)])
  const after = kept(
    BIN,
    [...secrets, ...harmless].map(({ text }) => text),
  )
  const gone = secrets.map((one, n) => ({ one, good: isGone(one, after[n] ?? '') }))
  const same = harmless.map((one, n) => ({ one, good: one.text === after[secrets.length + n] }))
  expect(share(gone)).toBeGreaterThanOrEqual(0.97)
  expect(share(same)).toBeGreaterThanOrEqual(0.985)
  expect(cellsBelow(gone, 0.93)).toEqual([])
  expect(cellsBelow(same, 0.95)).toEqual([])
})

type Result = { one: Case; good: boolean }

function some<T>(cases: T[]): T[] {
  return cases.filter((_, n) => n % 3 === 0)
}

function share(results: Result[]): number {
  return results.filter(({ good }) => good).length / results.length
}

/** The names, signs, values and wrappings of which a lower share is right. */
function cellsBelow(results: Result[], floor: number): string[] {
  const groups = new Set(results.flatMap(({ one }) => Object.values(one.cell)))
  return [...groups].filter((group) => {
    const inGroup = results.filter(({ one }) => Object.values(one.cell).includes(group))
    return inGroup.length >= 100 && share(inGroup) < floor
  })
}
