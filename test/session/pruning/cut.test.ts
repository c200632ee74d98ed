import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTalk, livePath } from '../../../src/session/live-path.ts'
import { orderMessages } from '../../../src/session/message-order.ts'
import { placeOf, pruneCut } from '../../../src/session/pruning/cut.ts'
import type { Message } from '../../../src/session/schema.ts'
import { rewound, said } from '../conversations.ts'

/** Turns with tool calls whose results may come late, beside another session, with rewinds. */
const talks = fc
  .array(
    fc.record({
      session: fc.constantFrom('a', 'b'),
      what: fc.constantFrom('ask', 'ask', 'answer', 'call', 'result', 'rewind'),
      which: fc.nat(20),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((steps) => {
    const calls: { id: string; session: string }[] = []
    const ids: string[] = []
    return steps.map(({ session, what, which }, seq): Message => {
      const id = `m${seq}`
      const timestamp = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString()
      const fields = { native_session: session, seq, timestamp }
      ids.push(id)
      if (what === 'rewind') return rewound(ids[which % ids.length]!, { ...fields, id })
      if (what === 'call') {
        calls.push({ id: `c${seq}`, session })
        return said(id, {
          ...fields,
          role: 'assistant',
          tool_calls: [{ id: `c${seq}`, name: 'Read', arguments: {} }],
        })
      }
      const call = calls[which % (calls.length || 1)]
      if (what === 'result' && call !== undefined)
        return said(id, { ...fields, role: 'tool', native_session: call.session, tool_call_id: call.id })
      return said(id, { ...fields, role: what === 'ask' ? 'user' : 'assistant' })
    })
  })

describe('pruneCut', () => {
  test('an event stays with the message that follows it', () => {
    const note = (id: string) => said(id, { role: 'system', event: 'resumed' })
    const talk = [said('u1'), note('e1'), note('e2'), said('u2'), said('a2', { role: 'assistant' })]
    expect(pruneCut(talk, { turns: 1 })).toBe(1)
    expect(pruneCut(talk, { before: 'u2' })).toBe(1)
    expect(pruneCut(talk, { before: 'a2' })).toBe(4)
  })

  test('X-4, law: no tool call is cut from its result, and the newest turns stay', () => {
    fc.assert(
      fc.property(talks, fc.integer({ min: 1, max: 8 }), (messages, turns) => {
        const ordered = orderMessages(messages)
        const cut = pruneCut(ordered, { turns })
        const [old, kept] = [ordered.slice(0, cut), ordered.slice(cut)]
        const key = (m: Message, id: string) => `${m.native_session} ${id}`
        const keys = (part: Message[]) =>
          part.flatMap((m) => [
            ...(m.tool_calls ?? []).map(({ id }) => key(m, id)),
            ...(m.tool_call_id === undefined ? [] : [key(m, m.tool_call_id)]),
          ])
        expect(keys(old).filter((one) => keys(kept).includes(one))).toEqual([])
        const asked = livePath(ordered).filter(({ role }) => role === 'user')
        for (const one of asked.slice(-turns)) expect(kept).toContain(one)
        if (asked.length <= turns) expect(cut).toBe(0)
      }),
    )
  })

  test('law: the live messages afterwards are the live ones before, without the pruned ones', () => {
    fc.assert(
      fc.property(talks, fc.integer({ min: 1, max: 5 }), (messages, turns) => {
        const ordered = orderMessages(messages)
        const cut = pruneCut(ordered, { turns })
        const old = new Set(ordered.slice(0, cut))
        const before = livePath(ordered).filter((message) => !old.has(message))
        expect(livePath(ordered.slice(cut))).toEqual(before)
      }),
    )
  })
})

describe('placeOf', () => {
  const ordered = [
    said('aaa1', { event: 'started', role: 'system' }),
    said('abc1'),
    said('abd2', { role: 'tool' }),
    said('bbb3', { role: 'assistant' }),
  ]
  test.each([
    ['1', 1],
    ['2', 3],
    ['abc', 1],
    ['bbb3', 3],
  ])('%s', (which, place) => expect(placeOf(ordered, which)).toBe(place))

  test.each(['0', '3', 'ab', 'x', ''])('"%s" names no message or several', (which) =>
    expect(() => placeOf(ordered, which)).toThrow(
      `no message "${which}" among ${ordered.filter(isTalk).length}`,
    ),
  )
})
