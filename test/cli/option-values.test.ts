import { describe, expect, test } from 'vitest'
import { dateOf, endOf, numberOf, roleOf } from '../../src/cli/option-values.ts'

describe('values that a person types', () => {
  test('a number is whole and above 0', () => {
    expect(numberOf('1', '--limit 20')).toBe(1)
    for (const text of ['0', '-1', '1.5', '', 'ten', '1e999'])
      expect(() => numberOf(text, '--limit 20'), text).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  test('a date is any that this machine can read, and a role one of four', () => {
    expect(dateOf('2026-11-21T10:00:00Z').getTime()).toBe(Date.UTC(2026, 10, 21, 10))
    expect(() => dateOf('someday')).toThrow(expect.objectContaining({ code: 'usage' }))
    expect(['user', 'assistant', 'tool', 'system'].map((role) => roleOf(role))).toHaveLength(4)
    expect(() => roleOf('robot')).toThrow('user, assistant, tool, system')
  })

  test('a day is a day of this person, whose midnight may be another than that of UTC', () => {
    const before = process.env.TZ
    process.env.TZ = 'Pacific/Auckland'
    try {
      expect(dateOf('2026-05-02').toISOString()).toBe('2026-05-01T12:00:00.000Z')
      expect(endOf('2026-05-02').toISOString()).toBe('2026-05-02T11:59:59.999Z')
      expect(endOf('2026').toISOString()).toBe('2026-12-31T10:59:59.999Z')
    } finally {
      process.env.TZ = before ?? 'UTC'
    }
    expect(() => dateOf('2026-02-30')).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  test('a day, a month or a year is included to its end, and a time is meant as it is', () => {
    const ends = ['2026-11-21', '2026-02', '2026-12', '2026', '2026-11-21T10:00:00Z'].map((text) =>
      endOf(text).toISOString(),
    )
    expect(ends).toEqual([
      '2026-11-21T23:59:59.999Z',
      '2026-02-28T23:59:59.999Z',
      '2026-12-31T23:59:59.999Z',
      '2026-12-31T23:59:59.999Z',
      '2026-11-21T10:00:00.000Z',
    ])
    expect(() => endOf('2026-13-01')).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})
