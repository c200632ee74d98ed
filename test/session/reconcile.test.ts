import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orderMessages } from '../../src/session/message-order.ts'
import { type ReadSegment, reconcile } from '../../src/session/reconcile.ts'
import type { Message } from '../../src/session/schema.ts'
import { nativeSessions, poorer, said, session } from './conversations.ts'

function segment(messages: Message[], more: Partial<ReadSegment> = {}): ReadSegment {
  const nativeId = messages[0]?.native_session ?? 'n'
  return {
    client: 'claude',
    nativeId,
    startedAt: '2026-01-01T00:00:00Z',
    messages,
    mcpTools: [],
    from: `${nativeId}-0`,
    ...more,
  }
}

describe('reconcile', () => {
  test('law: reconciling twice changes nothing', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const segments = sessions.map((messages) =>
          segment(messages, { model: 'm', mcpTools: ['mcp__a__b'] }),
        )
        const first = reconcile(session({ title: '' }), [], segments)
        const second = reconcile(first.session, first.append, segments)
        expect(second).toEqual({ append: [], session: first.session, messages: first.messages })
      }),
    )
  })

  test('law: publishing every prefix, with an unfinished last message, reads the same as publishing the whole', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const whole = reconcile(
          session(),
          [],
          sessions.map((one) => segment(one)),
        )
        let lines: readonly Message[] = []
        let state = session()
        for (let end = 0; end <= Math.max(...sessions.map((one) => one.length)); end += 1) {
          const prefixes = sessions.map((one) =>
            one.slice(0, end).map((m, i) => (i === end - 1 ? poorer(m) : m)),
          )
          const plan = reconcile(
            state,
            lines,
            prefixes.map((one) => segment(one)),
          )
          lines = [...lines, ...plan.append]
          state = plan.session
        }
        const last = reconcile(
          state,
          lines,
          sessions.map((one) => segment(one)),
        )
        expect(last.messages).toEqual(whole.messages)
        expect(last.session.agent_sessions).toEqual(whole.session.agent_sessions)
        expect(last.session.message_count).toBe(whole.session.message_count)
      }),
      { numRuns: 40 },
    )
  })

  test('law: earlier lines are never touched, and the plan has the messages that reading the file will give', () => {
    fc.assert(
      fc.property(nativeSessions, fc.nat(10), ([a, b], cut) => {
        const lines = Object.freeze(structuredClone(a.slice(0, cut)))
        const before = JSON.stringify(lines)
        const plan = reconcile(session(), lines, [segment(a), segment(b)])
        expect(JSON.stringify(lines)).toBe(before)
        expect(plan.messages).toEqual(orderMessages([...lines, ...plan.append]))
      }),
    )
  })

  test('E-8, S0-D3g, X-12, law: message_count is the number of distinct messages of user and assistant', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const all = sessions.flat()
        const { session: after } = reconcile(
          session(),
          all.map(poorer),
          [...sessions, ...sessions].map((one) => segment(one)),
        )
        const talk = all.filter(
          ({ role, event }) => event === undefined && (role === 'user' || role === 'assistant'),
        )
        expect(after.message_count).toBe(new Set(talk.map(({ id }) => id)).size)
      }),
    )
  })

  test('E-18: a compaction adds a line, and removes nothing that was said', () => {
    const lines = [said('a', { seq: 0 }), said('b', { seq: 1 })]
    const compacted = said('c', { role: 'system', content: '', event: 'compacted', summary: 'short', seq: 2 })
    const plan = reconcile(session(), lines, [segment([compacted])])
    expect(plan.messages.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(plan.session.message_count).toBe(2)
  })

  test('S0-D3m: keys that this version does not know survive', () => {
    const before = session({ color: 'green', agent_config: { ...session().agent_config, mood: 'calm' } })
    const { session: after } = reconcile(before, [], [segment([said('a')])])
    expect(after).toMatchObject({ color: 'green', agent_config: { mood: 'calm' } })
  })

  test('agent_sessions merge by client, native id and beginning, and keep their other keys', () => {
    const first = reconcile(session(), [], [segment([said('a')], { nativeId: 'n', from: 'r1' })]).session
    const noted = { ...first, agent_sessions: [{ ...first.agent_sessions[0]!, note: 'mine' }] }
    const again = segment([said('a'), said('b')], { nativeId: 'n', from: 'r1', to: 'r9' })
    const later = segment([said('c', { timestamp: '2026-12-01T00:00:00Z' })], { nativeId: 'n', from: 'r20' })
    const { session: after } = reconcile(noted, [], [again, later])
    expect(after.agent_sessions).toMatchObject([
      { native_id: 'n', from: 'r1', to: 'r9', message_count: 2, note: 'mine' },
      { native_id: 'n', from: 'r20', message_count: 1 },
    ])
  })

  test('the client and model are those that were used last, in whatever order the segments come', () => {
    const old = segment([said('a', { timestamp: '2026-01-01T00:00:00Z' })], {
      client: 'gemini',
      nativeId: 'g',
      model: 'old',
    })
    const recent = segment([said('b', { timestamp: '2026-02-01T00:00:00Z' })], {
      client: 'claude',
      nativeId: 'c',
      model: 'new',
    })
    const silent = segment([], { client: 'opencode', nativeId: 'o', model: 'none' })
    for (const segments of [
      [old, recent, silent],
      [silent, recent, old],
    ]) {
      const { session: after } = reconcile(session(), [], segments)
      expect(after.agent_config).toMatchObject({ client: 'claude', model: 'new' })
      expect(after.agent_sessions.map((one) => one.client)).toEqual(['gemini', 'claude'])
    }
  })

  test('S0-D3f: last_active is the time of the newest message, and a time that cannot be read is ignored', () => {
    const newest = said('a', { timestamp: '2026-12-24T00:00:00Z' })
    for (const last_active of ['2026-11-21T11:45:00Z', 'rubbish'])
      expect(reconcile(session({ last_active }), [newest], []).session.last_active).toBe(newest.timestamp)
    expect(reconcile(session(), [said('b', { timestamp: 'rubbish' })], []).session.last_active).toBe(
      '2026-11-21T11:45:00Z',
    )
  })

  test('a fact that becomes known removes the reason why it was unknown', () => {
    const unknown = { model: 'no answer yet', system_prompt_hash: 'no command' }
    const before = session({ agent_config: { ...session().agent_config, unknown } })
    const { agent_config } = reconcile(before, [], [segment([said('a')], { model: 'opus' })]).session
    expect(agent_config).toMatchObject({ model: 'opus', unknown: { system_prompt_hash: 'no command' } })
    expect(agent_config.unknown).not.toHaveProperty('model')
  })

  test('E-25: a title comes from the first request, and stays', () => {
    const first = reconcile(
      session({ title: 'Untitled' }),
      [],
      [segment([said('a', { content: 'Compare REST and GraphQL' })])],
    )
    expect(first.session.title).toBe('Compare REST and GraphQL')
    const later = said('b', {
      content: 'And now something else',
      timestamp: '2020-01-01T00:00:00Z',
      native_session: 'z',
    })
    expect(reconcile(first.session, first.append, [segment([later])]).session.title).toBe(
      'Compare REST and GraphQL',
    )
    expect(reconcile(session({ title: 'Renamed' }), first.append, []).session.title).toBe('Renamed')
  })
})
