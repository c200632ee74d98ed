import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentOf, livePath, textOf } from '../../src/session/live-path.ts'
import { nativeSessions, rewound, said } from './conversations.ts'

const ids = (messages: Parameters<typeof livePath>[0]) => livePath(messages).map(({ id }) => id)

describe('livePath', () => {
  test('a rewind takes back the messages after its anchor, and nothing else', () => {
    expect(ids([said('a'), said('b'), said('c'), rewound('a'), said('d')])).toEqual(['a', 'd'])
  })

  test('a rewind reaches only into its own native session', () => {
    const b = { native_session: 'b' }
    expect(
      ids([said('a'), said('b1', b), said('b2', b), said('a2'), rewound('b1', b), said('b3', b)]),
    ).toEqual(['a', 'b1', 'a2', 'b3'])
  })

  test('an anchor before this conversation takes back all of that session', () => {
    expect(
      ids([said('x', { native_session: 'x' }), said('a'), said('b'), rewound('before'), said('c')]),
    ).toEqual(['x', 'c'])
    expect(ids([said('a'), rewound(null), said('c')])).toEqual(['c'])
  })

  test('a rewind to a message that an earlier rewind took back makes that message and those before it live', () => {
    expect(ids([said('a'), said('b'), said('c'), rewound('a'), said('d'), rewound('b'), said('e')])).toEqual([
      'a',
      'b',
      'e',
    ])
  })

  test('nothing before a `cleared` with `anew` counts, in any session, for any rewind or result', () => {
    const b = { native_session: 'b' }
    const anew = said('anew', { role: 'system', event: 'cleared', anew: true })
    const calls = {
      role: 'assistant' as const,
      tool_calls: [{ id: 't1', name: 'Read', arguments: {} }],
    }
    const result = { role: 'tool' as const, tool_call_id: 't1' }
    const before = [said('a'), said('b1', b), said('call', calls), said('result', result)]
    expect(ids([...before, anew])).toEqual([])
    expect(ids([...before, anew, said('c'), rewound('a'), said('call2', calls), rewound('b1', b)])).toEqual([
      'call2',
    ])
    // A client's own clear only marks the place.
    expect(ids([said('a'), said('clear', { role: 'system', event: 'cleared' }), said('c')])).toEqual([
      'a',
      'c',
    ])
  })

  test('results stay with their call, also with another session in between', () => {
    const call = said('call', { role: 'assistant', tool_calls: [{ id: 't1', name: 'Read', arguments: {} }] })
    const result = said('result', { role: 'tool', tool_call_id: 't1' })
    const other = said('other', { native_session: 'b' })
    expect(ids([said('a'), call, other, result, said('gone'), rewound('call'), said('next')])).toEqual([
      'a',
      'call',
      'other',
      'result',
      'next',
    ])
  })

  test('law: the live path has no event and no duplicate, keeps the order, and has every message that no rewind can reach', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const all = sessions.flat()
        const live = livePath(all)
        expect(live).toEqual(all.filter((one) => live.includes(one)))
        expect(live.every(({ event }) => event === undefined)).toBe(true)
        for (const session of sessions) {
          const last = session.findLastIndex(({ event }) => event === 'rewound')
          expect(live).toEqual(expect.arrayContaining(session.slice(last + 1)))
        }
        expect(livePath(live)).toEqual(live)
      }),
    )
  })
})

test('the text of parts is joined, and other parts are named after it', () => {
  const parts = said('a', {
    content: [{ type: 'text', text: 'see' }, { type: 'image' }, { type: 'text', text: 'this' }],
  })
  expect(textOf(parts)).toBe('see\nthis')
  expect(contentOf(parts)).toBe('see\nthis\n[image]')
  const attached = said('b', { attachments: [{ media_type: 'image/png', sha256: '0', bytes: 1 }] })
  expect(contentOf(attached)).toBe('said in b\n[attachment image/png]')
})
