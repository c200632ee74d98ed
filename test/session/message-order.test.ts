import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orderMessages, richer } from '../../src/session/message-order.ts'
import { interleaved, nativeSessions, poorer, said } from './conversations.ts'

const ids = (lines: Parameters<typeof orderMessages>[0]) => orderMessages(lines).map(({ id }) => id)

describe('orderMessages', () => {
  test('law: ordering twice changes nothing', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const once = orderMessages(sessions.flat())
        expect(orderMessages(once)).toEqual(once)
      }),
    )
  })

  test('law: every native session keeps its own order, whatever its timestamps say', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const ordered = orderMessages(sessions.flat())
        for (const session of sessions)
          expect(ordered.filter((one) => one.native_session === session[0]?.native_session)).toEqual(session)
      }),
    )
  })

  test('law: lines in any order, with poorer duplicates anywhere, read the same', () => {
    fc.assert(
      fc.property(
        nativeSessions.chain((sessions) => {
          const lines = sessions.flat()
          const copies = fc.subarray(lines).map((some) => [...lines, ...some, ...some.map(poorer)])
          return fc.tuple(
            fc.constant(lines),
            copies.chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
          )
        }),
        ([lines, shuffled]) => {
          expect(orderMessages(shuffled)).toEqual(orderMessages(lines))
        },
      ),
    )
  })

  test('E-21, law: clones that both appended read the same, however git put their lines together', () => {
    const choices = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(nativeSessions, fc.nat(40), fc.nat(40), choices, ([a, b, c], cutA, cutB, order) => {
        const ours = [...a.slice(0, cutA), ...b, ...a.slice(cutA).map(poorer)]
        const theirs = [...a.slice(0, cutB).map(poorer), ...c, ...a]
        const merged = orderMessages(interleaved(ours, theirs, order))
        expect(orderMessages([...theirs, ...ours])).toEqual(merged)
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length)
        expect(orderMessages(merged)).toEqual(orderMessages([a, b, c].flat()))
      }),
    )
  })

  test('a late clock in one session never pulls a message out of its order, and the sessions merge by time', () => {
    const at = (id: string, minute: string, native_session: string, seq: number) =>
      said(id, { timestamp: `2026-01-01T10:${minute}:00Z`, native_session, seq })
    const a = [at('a0', '00', 'a', 0), at('a1', '20', 'a', 1), at('a2', '05', 'a', 2)]
    const b = [at('b0', '10', 'b', 0), at('b1', '30', 'b', 1)]
    expect(ids([...b, ...a])).toEqual(['a0', 'b0', 'a1', 'a2', 'b1'])
  })

  test('instants compare as instants, not as text', () => {
    const early = said('early', { timestamp: '2026-01-01T10:00:00Z', native_session: 'b', seq: 0 })
    const late = said('late', { timestamp: '2026-01-01T10:00:00.500Z', native_session: 'a', seq: 0 })
    const far = said('far', { timestamp: '+010000-01-01T00:00:00.000Z', native_session: 'c', seq: 0 })
    expect(ids([far, late, early])).toEqual(['early', 'late', 'far'])
  })

  test('lines without a seq stay after the line that they follow', () => {
    const lines = [said('x', { seq: 4 }), said('note'), said('w', { seq: 1 })]
    expect(ids(lines)).toEqual(['w', 'x', 'note'])
  })

  test('of an answer that was still growing, the richest line is read, at the place of the first', () => {
    const whole = said('a', { content: 'an answer that is whole', seq: 0 })
    expect(orderMessages([poorer(whole), said('b', { seq: 1 }), whole])).toEqual([
      whole,
      said('b', { seq: 1 }),
    ])
  })

  test('which of two lines is richer does not depend on their order', () => {
    const [one, other] = [said('a', { content: 'xy' }), said('a', { content: 'yx' })]
    expect(richer(one, other)).toBe(richer(other, one))
  })
})
