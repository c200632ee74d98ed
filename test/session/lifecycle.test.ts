import { describe, expect, test } from 'vitest'
import { changeStatus, effectiveStatus, parseStatus, statusWords } from '../../src/session/lifecycle.ts'
import { STATUSES, type Status } from '../../src/session/schema.ts'
import { session } from './conversations.ts'

const allowed = new Set(['active paused', 'active completed', 'paused active', 'paused completed'])
const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const))

describe('changeStatus', () => {
  test.each(pairs)('S1-005b, X-7: %s → %s', (from, to) => {
    const change = (force: boolean) =>
      changeStatus(session({ status: from }), to, 'conversations/2026-11-21/001-brainstorm-x', force)
    if (from === to || allowed.has(`${from} ${to}`))
      return expect(change(false)).toEqual(session({ status: to }))
    expect(() => change(false)).toThrow(
      expect.objectContaining({
        code: 'refused',
        message: `"API Design Discussion" (001-brainstorm-api-design) is ${from} and cannot become ${to}`,
        fix: 'cortext resume conversations/2026-11-21/001-brainstorm-x --force',
      }),
    )
    if (to === 'active') expect(change(true).status).toBe('active')
    else expect(() => change(true)).toThrow()
  })

  test('S1-005a, S0-D3d: no other status is accepted', () => {
    expect(STATUSES.map(parseStatus)).toEqual(['active', 'paused', 'completed'])
    for (const text of ['archived', 'Active', '', 'active '])
      expect(() => parseStatus(text)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

describe('effectiveStatus', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const read = (status: Status, live: boolean, quietMinutes: number, idleMinutes = 5) =>
    statusWords(
      effectiveStatus(session({ status }), {
        live,
        lastTurn: new Date(now.getTime() - quietMinutes * 60_000),
        now,
        idleMinutes,
      }),
    )

  test('X-19, X-34, S1-003v, S1-005c: quiet for longer than the bound reads as paused (auto) at once', () => {
    expect(read('active', true, 5)).toBe('active')
    expect(read('active', true, 5.01)).toBe('paused (auto)')
    expect(read('active', false, 24 * 60)).toBe('paused (auto)')
  })

  test('0 turns auto-pause off', () => expect(read('active', true, 10_000, 0)).toBe('active'))

  test('a live binding makes a conversation active, but a completed one stays completed', () => {
    expect(read('paused', true, 1)).toBe('active')
    expect(read('paused', false, 1)).toBe('paused')
    expect(read('completed', true, 1)).toBe('completed')
  })

  test('a conversation whose last turn is in the future is active; one whose last turn has no readable time is not', () => {
    expect(read('active', false, -60)).toBe('active')
    expect(read('active', false, Number.NaN)).toBe('paused (auto)')
  })
})
