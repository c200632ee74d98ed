import { expect, test } from 'vitest'
import { askedDays } from '../../src/search/asked-days.ts'

const NOW = new Date('2026-11-25T12:00:00Z')

/** How well noon of a day fits a query. */
function closeness(query: string, day: string): number | undefined {
  return askedDays(query, NOW)?.(`${day}T12:00:00Z`)
}

// promise: prefers what was said on
test.each([
  ['what went wrong on 6 January?', '2026-01-06'],
  ['on January 6', '2025-01-06'],
  ['on 17.01.2024', '2024-01-17'],
  ['last Tuesday', '2026-11-24'],
  ['two weeks ago', '2026-11-11'],
  ['last week', '2026-11-16'],
  ['mid January', '2026-01-15'],
  ['at the end of January', '2026-01-30'],
  ['in October 2023', '2023-10-31'],
  ['in 2024', '2024-06-01'],
  ['am 6. Januar', '2026-01-06'],
  ['vor zwei Wochen', '2026-11-11'],
  ['le 6 janvier', '2026-01-06'],
  ['il y a deux semaines', '2026-11-11'],
  ['el 6 de enero', '2026-01-06'],
  ['il 6 gennaio', '2026-01-06'],
])('%s means %s', (query, day) => {
  expect(closeness(query, day)).toBe(1)
  expect(closeness(query, '2020-08-20')).toBe(0)
})

test('a day or two later fits less', () => {
  expect(closeness('on 6 January', '2026-01-07')).toBeLessThan(1)
  expect(closeness('on 6 January', '2026-01-07')).toBeGreaterThan(closeness('on 6 January', '2026-01-09')!)
  expect(closeness('on 6 January', '2026-01-11')).toBe(0)
})

test.each([
  ['do Claude hooks get executed'],
  ['so that it is out of order'],
  ['may we use it now'],
  ['the march of time'],
  ['version 1.2.3 at 12:30'],
])('%s names no day', (query) => {
  expect(askedDays(query, NOW)).toBeUndefined()
})
