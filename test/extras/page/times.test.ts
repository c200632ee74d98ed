import { expect, test } from 'vitest'
import { timesIn } from '../../../src/extras/page/html/times.ts'

test('the day of a message is that of the time zone, although another hour of the same date was asked for before', () => {
  const { day } = timesIn('America/New_York')
  expect(day('2026-11-23T02:00:00Z')).toBe('Sunday 22 November 2026')
  expect(day('2026-11-23T14:00:00Z')).toBe('Monday 23 November 2026')
})

test('a day may begin at half past an hour of UTC', () => {
  const { day } = timesIn('Asia/Kolkata')
  expect(day('2026-11-23T18:29:00Z')).toBe('Monday 23 November 2026')
  expect(day('2026-11-23T18:31:00Z')).toBe('Tuesday 24 November 2026')
})
