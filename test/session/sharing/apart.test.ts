import { describe, expect, test } from 'vitest'
import { apartPath, conversationsIn, leftPath, ownersOf } from '../../../src/session/sharing/apart.ts'
import { said, session } from '../conversations.ts'

const PATH = 'conversations/2026-11-21/001-brainstorm-api-design'
const line = (origin?: string) => said(`of ${origin}`, origin === undefined ? {} : { origin })

describe('the conversations in a folder', () => {
  test('a conversation whose lines are older than origins is never divided', () => {
    expect(conversationsIn(PATH, session(), [line(), line('b2b2b2b2')])).toHaveLength(1)
    expect(conversationsIn(PATH, session({ origin: 'a1a1a1a1' }), [line(), line('a1a1a1a1')])).toHaveLength(1)
  })

  test('a conversation that only lines name is found too', () => {
    const found = conversationsIn(PATH, session({ origin: 'a1a1a1a1' }), [line('a1a1a1a1'), line('b2b2b2b2')])
    expect(found.map(({ origin }) => origin)).toEqual(expect.arrayContaining(['a1a1a1a1', 'b2b2b2b2']))
    expect(found).toHaveLength(2)
  })

  test('a text that is not an origin makes no conversation', () => {
    const strange = [line('../../../x'), line(''), line('a b c d e f')]
    expect(conversationsIn(PATH, session({ origin: 'a1a1a1a1' }), strange)).toHaveLength(1)
    expect(conversationsIn(PATH, session({ origin: '../../../x' }), [line('b2b2b2b2')])).toHaveLength(1)
  })

  test('a fork has the lines of another conversation, and is one', () => {
    const fork = session({
      origin: 'f1f1f1f1',
      forked_from: { path: 'x', message_id: '1', origins: ['a1a1a1a1'] },
    })
    expect(conversationsIn(PATH, fork, [line('a1a1a1a1'), line('f1f1f1f1')])).toHaveLength(1)
  })
})

test('a line goes to its own conversation; a line without an origin goes where the line before it went', () => {
  const both = [session({ origin: 'a1a1a1a1' }), session({ origin: 'b2b2b2b2' })]
  expect(ownersOf(both, line('b2b2b2b2'), [0])).toEqual([1])
  expect(ownersOf(both, line(), [1])).toEqual([1])
  expect(ownersOf(both, undefined, [0])).toEqual([0])
})

test('two forks of one conversation both keep the talk that they were made from', () => {
  const from = { path: 'x', message_id: '1', origins: ['a1a1a1a1'] }
  const forks = [
    session({ origin: 'f1f1f1f1', forked_from: from }),
    session({ origin: 'f2f2f2f2', forked_from: from }),
  ]
  expect(ownersOf(forks, line('a1a1a1a1'), [])).toEqual([0, 1])
  expect(ownersOf(forks, line('f2f2f2f2'), [0, 1])).toEqual([1])
})

test('the folder of a conversation that has to leave has the same name everywhere, and shows the folder that it left', () => {
  const apart = apartPath(PATH, '0123456789ab')
  expect(apart).toBe(`${PATH}-01234567`)
  expect(leftPath(apart, '0123456789ab')).toBe(PATH)
  expect(leftPath(apart, 'ffffffffffff')).toBeUndefined()
})
