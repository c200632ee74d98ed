import { expect, test } from 'vitest'
import { countTypos } from '../../src/text/count-typos.ts'

const NONE = Number.POSITIVE_INFINITY

test.each([
  ['api', 'apo', NONE],
  ['tokn', 'token', 1],
  ['tokken', 'token', 1],
  ['toekn', 'token', 1],
  ['meeeing', 'meeting', 1],
  ['meaeing', 'meeting', NONE],
  ['gatewya', 'gateway', 1],
  ['gatwwya', 'gateway', NONE],
  ['migraton', 'migration', 1],
  ['migrxtyon', 'migration', 2],
  ['mugrxtyon', 'migration', NONE],
])('S0-D4g: %s for %s: %s', (typed, meant, slips) => expect(countTypos(typed, meant)).toBe(slips))
