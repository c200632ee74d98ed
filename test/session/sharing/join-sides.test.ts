import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinSides } from '../../../src/session/sharing/join-sides.ts'
import { session } from '../conversations.ts'

const side = (more: object) => ({ ...session({ origin: 'a1', message_count: 20 }), ...more })
const base = side({ tags: ['one', 'two'] })

describe('two sides of one conversation', () => {
  test('a key that one side has changed is taken from that side, also when the other was active later', () => {
    const ann = { ...base, title: 'Renamed', tags: ['one'] }
    const bob = {
      ...base,
      last_active: '2026-11-22T10:00:00Z',
      message_count: 30,
      tags: ['one', 'two', 'three'],
    }
    expect(joinSides(ann, bob, base)).toMatchObject({
      title: 'Renamed',
      last_active: '2026-11-22T10:00:00Z',
      message_count: 30,
      tags: ['one', 'three'],
    })
  })

  test('counts of both sides are added, although both sides have the same number', () => {
    const [ann, bob] = [
      side({ message_count: 30, token_count: 7 }),
      side({ message_count: 30, token_count: 9 }),
    ]
    expect(joinSides(ann, bob, base)).toMatchObject({ message_count: 40, token_count: 16 })
  })

  test('a key that both sides have changed is taken from the side that was active last', () => {
    const [ann, bob] = [
      side({ title: 'Ann', status: 'completed', last_active: '2026-11-23T00:00:00Z' }),
      side({ title: 'Bob', status: 'active', last_active: '2026-11-22T00:00:00Z' }),
    ]
    expect(joinSides(ann, bob, base)).toMatchObject({ title: 'Ann', status: 'completed' })
  })

  test('a key that one side has removed stays removed, and without a base nothing counts as removed', () => {
    const { tags: _, ...without } = base
    expect(joinSides(without, base, base)).not.toHaveProperty('tags')
    expect(joinSides(without, base)).toHaveProperty('tags')
  })
})

test('of two states of one client session the one that was active last is kept, whichever side has it', () => {
  const held = (last_active: string, to: number) => ({
    client: 'claude',
    native_id: 'n1',
    from: 0,
    to,
    last_active,
  })
  const older = side({ agent_sessions: [held('2026-11-22T10:00:00Z', 5)] })
  const newer = side({ agent_sessions: [held('2026-11-22T11:00:00Z', 9)] })
  for (const [ours, theirs] of [
    [older, newer],
    [newer, older],
  ])
    expect(joinSides(ours, theirs)).toMatchObject({ agent_sessions: newer.agent_sessions })
})

describe('sides of several conversations', () => {
  const [ann, bob] = [
    side({ origin: 'b2', created_at: '2026-11-21T10:00:00Z' }),
    side({ origin: 'a1', created_at: '2026-11-21T11:00:00Z', title: 'Bob' }),
  ]

  test('both conversations are kept whole, the oldest first', () => {
    expect(joinSides(ann, bob)).toEqual({ ...ann, merged: [bob] })
  })

  test('a conversation that has its own folder on the other side has left, unless more was said in it here', () => {
    const together = { ...ann, merged: [bob] }
    expect(joinSides(together, ann, together)).toEqual(ann)
    const more = { ...bob, last_active: '2026-11-29T00:00:00Z' }
    expect(joinSides({ ...ann, merged: [more] }, ann, together)).toEqual({ ...ann, merged: [more] })
    expect(joinSides(bob, ann, bob)).toEqual(ann)
  })

  test('a side without an origin is older than origins, and counts as the same conversation', () => {
    const { origin: _, ...old } = side({ message_count: 25 })
    expect(joinSides(old, side({ message_count: 22 }))).toEqual(side({ message_count: 25 }))
    expect(joinSides(old, { ...old, title: 'Both old' })).not.toHaveProperty('merged')
  })
})

const version = fc
  .record({
    origin: fc.constantFrom('a1', 'b2', undefined),
    title: fc.constantFrom('x', 'y'),
    status: fc.constantFrom('active', 'paused'),
    created_at: fc.constantFrom('2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'),
    last_active: fc.constantFrom('2026-11-21T12:00:00Z', '2026-11-21T13:00:00Z', 'no time'),
    message_count: fc.nat(9),
    tags: fc.option(fc.subarray(['p', 'q']), { nil: undefined }),
    agent_sessions: fc.subarray([
      { client: 'claude', native_id: 'm', last_active: '2026-11-21T12:00:00Z' },
      { client: 'claude', native_id: 'n', last_active: '2026-11-21T12:00:00Z' },
    ]),
  })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as object)

test('law: both clones get the same result, whichever merges the other, and merging it again changes nothing', () => {
  fc.assert(
    fc.property(version, version, fc.option(version, { nil: undefined }), (ours, theirs, before) => {
      const joined = joinSides(ours, theirs, before)
      expect(joinSides(theirs, ours, before)).toEqual(joined)
      expect(joinSides(joined, joined)).toEqual(joined)
    }),
  )
})
