import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asAtif } from '../../../src/extras/export/atif.ts'
import { asSessionTrace } from '../../../src/extras/export/session-trace.ts'
import { livePath } from '../../../src/session/live-path.ts'
import { orderMessages } from '../../../src/session/message-order.ts'
import type { Message } from '../../../src/session/schema.ts'
import { nativeSessions, rewound, said, session } from '../../session/conversations.ts'
import { Atif, TraceHead, TraceLine } from './published.ts'

const CALL = { id: 'c', name: 'Bash', arguments: { command: 'ls' } }
const talk = [
  said('a', { author: 'Ann' }),
  said('b', { role: 'assistant', content: 'I look.', reasoning: 'hm', model: 'm-1', tool_calls: [CALL] }),
  said('c', { role: 'tool', content: 'nothing', tool_call_id: 'c', is_error: true }),
  said('d', { content: 'dropped' }),
  rewound('c'),
  said('e', { role: 'tool', content: 'of no call', tool_call_id: 'other' }),
  said('f', { content: [{ type: 'text', text: 'see' }, { type: 'image' }], timestamp: 'yesterday' }),
]

/** The lines of a trace, checked. */
function trace(messages: readonly Message[], live = livePath(messages)) {
  const { text, omissions } = asSessionTrace(session(), messages, live)
  const [head, ...lines] = text.trimEnd().split('\n')
  return {
    head: TraceHead.parse(JSON.parse(head!)),
    messages: lines.map((line) => TraceLine.parse(JSON.parse(line)).message),
    omissions,
  }
}

describe('ATIF', () => {
  test('each result is in one step, behind the last call with its id, however often the id comes again', () => {
    const called = (id: string) => said(id, { role: 'assistant', content: id, tool_calls: [CALL] })
    const told = (id: string) => said(id, { role: 'tool', content: id, tool_call_id: 'c' })
    const messages = [told('0'), called('a'), told('1'), told('2'), called('b'), called('c'), told('3')]
    const { document } = asAtif(session(), messages, messages)
    const steps = Atif.parse(document).steps as {
      message: string
      observation?: { results: { content: string }[] }
    }[]
    expect(
      steps.map(({ message, observation }) => [message, observation?.results.map((one) => one.content)]),
    ).toEqual([
      ['', ['0']],
      ['a', ['1', '2']],
      ['b', undefined],
      ['c', ['3']],
    ])
  })

  test('a message is a step with its results as observation; a result without a call is a step of its own', () => {
    const { document } = asAtif(session(), talk, livePath(talk))
    const { steps } = Atif.parse(document)
    expect(steps).toEqual([
      {
        step_id: 1,
        timestamp: '2026-11-21T10:30:00.000Z',
        source: 'user',
        message: 'said in a',
        extra: { author: 'Ann' },
      },
      {
        step_id: 2,
        timestamp: '2026-11-21T10:30:00.000Z',
        source: 'agent',
        message: 'I look.',
        model_name: 'm-1',
        reasoning_content: 'hm',
        tool_calls: [{ tool_call_id: 'c', function_name: 'Bash', arguments: { command: 'ls' } }],
        observation: { results: [{ source_call_id: 'c', content: 'nothing', extra: { is_error: true } }] },
      },
      {
        step_id: 3,
        timestamp: '2026-11-21T10:30:00.000Z',
        source: 'system',
        message: '',
        observation: { results: [{ content: 'of no call' }] },
      },
      { step_id: 4, source: 'user', message: 'see\n[image]' },
    ])
  })

  test('omitted parts are counted', () => {
    const { omissions } = asAtif(session(), talk, livePath(talk))
    expect(omissions.map(({ what, count }) => `${count} ${what.split(' ').slice(0, 3).join(' ')}`)).toEqual([
      '1 events of the',
      '1 messages that a',
      '1 messages with pictures',
      '1 the version of',
      '1 times of tool',
      '1 invalid times',
    ])
  })

  test('law: every conversation is a document that its schema accepts, with every text of the live path', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const messages = orderMessages(sessions.flat())
        const live = livePath(messages)
        if (live.length === 0) return
        const { steps } = Atif.parse(JSON.parse(JSON.stringify(asAtif(session(), messages, live).document)))
        const results = steps.flatMap(({ observation }) => observation?.results ?? [])
        expect(results).toHaveLength(live.filter(({ role }) => role === 'tool').length)
        expect(steps.filter(({ source }) => source !== 'system')).toHaveLength(
          live.filter(({ role }) => role === 'user' || role === 'assistant').length,
        )
      }),
    )
  })
})

describe('the format of the Hugging Face Hub', () => {
  test('it is a head and one line for each message; a result names its call', () => {
    const { head, messages } = trace(talk)
    expect(head).toMatchObject({ harness: 'cortext', client: 'claude', name: 'API Design Discussion' })
    expect(messages).toEqual([
      { role: 'user', content: 'said in a', timestamp: 1795257000000 },
      {
        role: 'assistant',
        content: 'I look.',
        reasoningContent: 'hm',
        toolCalls: [{ id: 'c', function: { name: 'Bash', arguments: '{"command":"ls"}' } }],
        timestamp: 1795257000000,
        model: 'm-1',
      },
      { role: 'tool', content: 'nothing', toolCallId: 'c', timestamp: 1795257000000 },
      { role: 'tool', content: 'of no call', toolCallId: 'other', timestamp: 1795257000000 },
      { role: 'user', content: 'see\n[image]' },
    ])
  })

  test('omitted parts are counted', () => {
    const told = trace(talk).omissions.map(({ what, count }) => `${count} ${what}`)
    expect(told).toContain('1 marks of failed and refused calls')
    expect(told).toContain('1 names of authors')
  })

  test('law: every conversation is lines that the description accepts, one for each message of the live path', () => {
    fc.assert(
      fc.property(nativeSessions, (sessions) => {
        const messages = orderMessages(sessions.flat())
        const live = livePath(messages)
        expect(trace(messages, live).messages.map(({ role }) => role)).toEqual(live.map(({ role }) => role))
      }),
    )
  })
})
