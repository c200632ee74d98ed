import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relativeTime } from '../../src/text/relative-time.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (minutes: number) => relativeTime(new Date(now.getTime() - minutes * 60_000), now)
const DAY = 24 * 60

test.each([
  [0.5, 'just now'],
  [1, '1 minute ago'],
  [59, '59 minutes ago'],
  [60, '1 hour ago'],
  [120, '2 hours ago'],
  [DAY, 'yesterday'],
  [2 * DAY, '2 days ago'],
  [60 * DAY, '60 days ago'],
  [61 * DAY, '2 months ago'],
  [700 * DAY, '22 months ago'],
  [731 * DAY, '2 years ago'],
  [-30, 'just now'],
])('S0-D5f, S1-003t: %s minutes → %s', (minutes, words) => expect(ago(minutes)).toBe(words))

test('a value that is not a time gives `at an unknown time`', () =>
  expect(relativeTime(new Date('rubbish'), now)).toBe('at an unknown time'))

test('law: an earlier time never sounds more recent', () => {
  const inMinutes: Record<string, number> = {
    minute: 1,
    hour: 60,
    day: DAY,
    month: 30.44 * DAY,
    year: 365.25 * DAY,
  }
  const meant = (words: string) => {
    if (words === 'just now') return 0
    if (words === 'yesterday') return DAY
    const [amount, unit] = words.split(' ')
    return Number(amount) * inMinutes[unit!.replace(/s$/, '')]!
  }
  const minutes = fc.double({ min: 0, max: 4000 * DAY, noNaN: true })
  fc.assert(
    fc.property(minutes, minutes, (a, b) => {
      expect(meant(ago(Math.max(a, b)))).toBeGreaterThanOrEqual(meant(ago(Math.min(a, b))))
    }),
  )
})
