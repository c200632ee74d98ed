import { describe, expect, it } from 'vitest'
import { answer, read, record, script, text, user } from './transcript.ts'

const opening = [user('u1', null, 'first'), answer('a1', 'u1', 'm1', text('one'))]

describe('what 2.1.330 adds', () => {
  const message = (content: unknown) => ({ role: 'user', content })
  const types: [string, string, object][] = [
    ['api-request', 'usage', { model: 'claude-x' }],
    ['api-request-shape', 'system-text', { shape: { tools: [{ name: 'Read' }] } }],
    // As sent, without the key by which our seed is known.
    [
      'api-request-blob',
      'request-copy',
      { role: 'user', message: message([text('[RESUMED CONVERSATION]')]) },
    ],
    ['atis-latch', 'client-state', {}],
    ['cost-state', 'usage', { cost: 1 }],
  ]
  const attachments: [string, string][] = [
    ['environment', 'system-text'],
    ['model', 'system-text'],
    ['deferred_tools_delta', 'listing'],
    ['session_context', 'system-text'],
    ['date', 'system-text'],
    ['remote_session_change', 'system-text'],
    ['auto_mode', 'system-text'],
    ['prompt_snapshot', 'system-text'],
  ]

  it.each([
    ...types.map(([type, rule, fields]) => [type, rule, { type, sessionId: 'native', ...fields }] as const),
    ...attachments.map(([type, rule]) => {
      const attachment = { type, content: 'x'.repeat(60_000), text: '[RESUMED CONVERSATION]' }
      return [type, rule, record('x1', 'a1', { type: 'attachment', attachment })] as const
    }),
  ])('%s is dropped as %s, and breaks no chain', (_type, rule, own) => {
    const reading = read([...opening, own, user('u2', 'uuid' in own ? 'x1' : 'a1', 'second')])
    expect(script(reading)).toEqual(['user: first', 'assistant: one', 'user: second'])
    expect(reading.report.dropped[rule]?.records).toBe(1)
    expect(reading.report.unknown).toEqual({})
    expect(reading.report.kept.records).toBe(3)
  })

  it('tools-used says again what the calls say', () => {
    const { report } = read([...opening, { type: 'tools-used', tools: ['Read'] }])
    expect(report.derived.records).toBe(1)
  })
})
