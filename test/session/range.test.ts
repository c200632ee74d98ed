import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderMessages } from '../../src/session/message-order.ts'
import { rangeOf } from '../../src/session/range.ts'
import type { Message } from '../../src/session/schema.ts'
import { nativeSessions, said } from './conversations.ts'

const CALL = { tool_calls: [{ id: 'c', name: 'Read', arguments: {} }] }
const talk = [
  said('one'),
  said('two', { role: 'assistant', ...CALL }),
  said('three', { role: 'tool', tool_call_id: 'c' }),
  said('four', { role: 'assistant' }),
  said('five'),
]
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

test('a range takes the numbers of `show --at`, ids and beginnings of ids, and includes both ends', () => {
  expect(ids(rangeOf(talk, { from: '3', to: '4' }).messages)).toEqual(['four', 'five'])
  expect(ids(rangeOf(talk, { from: 'fi' }).messages)).toEqual(['five'])
  expect(rangeOf(talk, {})).toEqual({ messages: talk, widened: 0 })
})

test('a range that separates a call from its result is widened, and says so', () => {
  expect(rangeOf(talk, { to: '2' })).toMatchObject({ messages: talk.slice(0, 3), widened: 1 })
  expect(rangeOf(talk, { from: 'three', to: '3' })).toMatchObject({ messages: talk.slice(1, 4), widened: 1 })
})

test('an empty range and a message that is not there are errors', () => {
  expect(() => rangeOf(talk, { from: '3', to: '1' })).toThrow(expect.objectContaining({ code: 'usage' }))
  expect(() => rangeOf(talk, { from: '9' })).toThrow(expect.objectContaining({ code: 'not-found' }))
})

test('law: whatever the ends, no call is in a range without its results, and no result without its call', () => {
  fc.assert(
    fc.property(nativeSessions, fc.nat(40), fc.nat(40), (sessions, a, b) => {
      const ordered = orderMessages(sessions.flat())
      const [from, to] = [ordered[Math.min(a, b)]?.id, ordered[Math.max(a, b)]?.id]
      if (from === undefined || to === undefined) return
      const { messages } = rangeOf(ordered, { from, to })
      const keys = (some: readonly Message[]) => ({
        calls: some.flatMap((one) => (one.tool_calls ?? []).map(({ id }) => id)),
        results: some.flatMap(({ role, tool_call_id: id }) =>
          role === 'tool' && id !== undefined ? [id] : [],
        ),
      })
      const [whole, part] = [keys(ordered), keys(messages)]
      for (const id of part.calls) if (whole.results.includes(id)) expect(part.results).toContain(id)
      for (const id of part.results) if (whole.calls.includes(id)) expect(part.calls).toContain(id)
      const start = ordered.indexOf(messages[0]!)
      expect(messages).toEqual(ordered.slice(start, start + messages.length))
      expect(ids(messages)).toEqual(expect.arrayContaining([from, to]))
    }),
  )
})
