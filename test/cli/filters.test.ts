import { describe, expect, test } from 'vitest'
import { dateOf, numberOf, roleOf } from '../../src/cli/filters.ts'

describe('values that a person types', () => {
  test('a number is whole and above 0', () => {
    expect(numberOf('1', '--limit 20')).toBe(1)
    for (const text of ['0', '-1', '1.5', '', 'ten', '1e999'])
      expect(() => numberOf(text, '--limit 20'), text).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  test('a date is any that this machine can read, and a role one of four', () => {
    expect(dateOf('2026-11-21T10:00:00Z').getTime()).toBe(Date.UTC(2026, 10, 21, 10))
    expect(() => dateOf('someday')).toThrow(expect.objectContaining({ code: 'usage' }))
    expect(['user', 'assistant', 'tool', 'system'].map(roleOf)).toHaveLength(4)
    expect(() => roleOf('robot')).toThrow('user, assistant, tool, system')
  })
})
