import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asLine, checkAgentMessage, wrongKey } from '../../../src/journeys/agent-loop/agent-turn.ts'
import { Message } from '../../../src/session/schema.ts'

const NOW = new Date('2026-11-21T10:30:00.000Z')
const call = { id: 'c1', name: 'read', arguments: { path: 'a' } }

describe('checkTurnMessage', () => {
  test.each([
    [{ role: 'user' }, 'content: '],
    [{ role: 'robot', content: '' }, 'role: '],
    [{ role: 'user', content: 7 }, 'content: '],
    [{ role: 'user', content: [{ text: 'no type' }] }, 'content'],
    [{ role: 'user', content: null }, 'content: it is null, without tool calls'],
    [
      { role: 'user', content: '', tool_calls: [call] },
      'tool_calls: only a message of the assistant has them',
    ],
    [{ role: 'assistant', content: '', tool_calls: [{ id: 'c', arguments: {} }] }, 'tool_calls.0.name: '],
    [{ role: 'assistant', content: '', tool_calls: [{ ...call, id: '' }] }, 'tool_calls.0.id: '],
    [{ role: 'tool', content: '' }, 'tool_call_id: a tool result names its call'],
    [
      { role: 'tool', content: '', tool_call_id: 'other' },
      'tool_call_id: there is no call "other" before it',
    ],
    [{ role: 'user', content: '', tool_call_id: 'c1' }, 'tool_call_id: only a tool result has it'],
    [{ role: 'user', content: '', timestamp: '2026-11-21 10:30' }, 'timestamp: not an ISO 8601 time'],
    [{ role: 'user', content: '', timestamp: '2026-99-21T10:30:00Z' }, 'timestamp: not an ISO 8601 time'],
    [{ role: 'user', content: '', event: 'cleared' }, "event: this key is the record's own"],
    [{ role: 'user', content: '', id: '' }, 'id: '],
    [null, 'it: '],
    [[], 'it: '],
    ['text', 'it: '],
  ])('S3-W1 %j is not a message', (value, why) => {
    const known = new Set(['c1'])
    const said = checkAgentMessage(value, known)
    expect(said).toBeTypeOf('string')
    expect(said).toContain(why)
    expect([...known]).toEqual(['c1'])
  })

  // promise: other keys are kept
  test('law: every accepted message is a line of the record, with its content and its own keys unchanged', () => {
    const text = fc.string({ unit: 'binary' })
    const filled = fc.string({ unit: 'binary', minLength: 1 })
    const parts = fc.array(fc.record({ type: fc.string(), data: fc.jsonValue() }))
    const calls = fc.array(fc.record({ id: filled, name: filled, arguments: fc.jsonValue() }))
    const rest = { content: fc.oneof(text, parts), zebra: fc.jsonValue(), id: filled }
    const at = fc.oneof(fc.constant('2026-11-21T10:30:00+01:00'), fc.string())
    const own: { requiredKeys: ['role', 'content'] } = { requiredKeys: ['role', 'content'] }
    const messages = fc.oneof(
      fc.record({ role: fc.constant('user'), ...rest, timestamp: at }, own),
      fc.record({ role: fc.constant('assistant'), ...rest, tool_calls: calls }, own),
      fc.record({ role: fc.constant('tool'), ...rest, tool_call_id: fc.constantFrom('c1', 'c2') }, own),
    )
    let taken = 0
    fc.assert(
      fc.property(messages, (value) => {
        const said = checkAgentMessage(value, new Set(['c1']))
        if (typeof said === 'string') return
        taken += 1
        const line = JSON.parse(JSON.stringify(asLine(said, 'id', NOW)))
        expect(Message.safeParse(line).success).toBe(true)
        expect(line.content).toEqual(JSON.parse(JSON.stringify(value.content ?? '')))
        expect({ zebra: line.zebra }).toEqual(JSON.parse(JSON.stringify({ zebra: value.zebra })))
        expect(new Date(line.timestamp).toISOString()).toBe(line.timestamp)
      }),
      { numRuns: 500 },
    )
    expect(taken).toBeGreaterThan(100)
  })
})

// promise: any text of up to 500 characters
test('S3-I1 S4-P1-15 a key is any text of a sane length', () => {
  for (const key of ['cli:default', '../../etc/passwd', 'ключ 🔑', ' ', '-rf', '.', 'a\nb', 'x'.repeat(500)])
    expect(wrongKey(key)).toBeUndefined()
  for (const key of ['', 'x'.repeat(501), 'half \ud83d']) expect(wrongKey(key)).toBeTypeOf('string')
})
