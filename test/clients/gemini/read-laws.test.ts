import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reconcile } from '../../../src/session/reconcile.ts'
import type { Message } from '../../../src/session/schema.ts'
import { accounted, bytesOf, lineStarts, read, recordsOf, SAMPLES, sample } from './transcript.ts'

const transcript = fc.constantFrom(...SAMPLES)
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

describe('laws of reading', () => {
  it('a prefix gives the same messages as the whole, only fewer, in the same order', () => {
    fc.assert(
      fc.property(transcript, fc.nat(), (name, cut) => {
        const bytes = sample(name)
        const starts = lineStarts(bytes)
        const prefix = read(bytes, { to: starts[cut % starts.length]! }).messages
        const whole = read(bytes).messages
        expect(ids(prefix)).toEqual(ids(whole).slice(0, prefix.length))
        for (const [index, message] of prefix.entries()) {
          const full = whole[index]!
          expect(message.seq).toBe(full.seq)
          expect(full.tool_calls ?? []).toEqual(expect.arrayContaining(message.tool_calls ?? []))
          expect(message.content).toEqual(full.content)
        }
      }),
    )
  })

  it('read in stretches, nothing is lost and nothing is there twice', () => {
    fc.assert(
      fc.property(transcript, fc.array(fc.nat(), { maxLength: 5 }), (name, cuts) => {
        const bytes = sample(name)
        const starts = lineStarts(bytes)
        const ends = [0, ...cuts.map((cut) => starts[cut % starts.length]!), bytes.length].sort(
          (a, b) => a - b,
        )
        const stretches = ends.slice(1).map((to, index) => read(bytes, { from: ends[index]!, to }))
        const whole = read(bytes)
        expect(whole.messages).toEqual(gathered(stretches.map(({ messages }) => messages)))
        expect(stretches.reduce((sum, { report }) => sum + accounted(report), 0)).toBe(bytes.length)
      }),
    )
  })

  it('a stretch that begins with a prompt is the same part of the whole', () => {
    fc.assert(
      fc.property(transcript, fc.nat(), fc.nat(), (name, first, length) => {
        const bytes = sample(name)
        const starts = lineStarts(bytes)
        const whole = read(bytes).messages
        const prompts = whole.filter(({ role }) => role === 'user').map(({ seq }) => seq!)
        const begin = prompts[first % prompts.length]!
        const end = Math.min(begin + 1 + (length % 30), starts.length - 1)
        const stretch = read(bytes, { from: starts[begin]!, to: starts[end]! })
        const expected = whole.filter(({ seq }) => seq! >= begin && seq! < end)
        expect(ids(stretch.messages)).toEqual(ids(expected))
      }),
    )
  })

  it('any cut of bytes is read without an error, and accounted for', () => {
    fc.assert(
      fc.property(transcript, fc.nat(), fc.nat(), (name, a, b) => {
        const bytes = sample(name)
        const [from = 0, to = 0] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y)
        const { report } = read(bytes, { from, to })
        expect(report.bytes).toBe(to - from)
        expect(accounted(report)).toBe(to - from)
      }),
    )
  })

  it('damage among the lines loses none of the other messages (S0-D2e)', () => {
    const value = fc.jsonValue()
    const garbage = fc.oneof(
      fc.constantFrom(
        '{"type":"user"',
        '[]',
        '42',
        'null',
        '',
        '\r',
        '\ufeff{}',
        '{"$set":{}}',
        '<<<<<<< HEAD',
      ),
      fc
        .tuple(fc.constantFrom('user', 'gemini', 'info', '__proto__'), fc.uuid(), value)
        .map(([type, id, content]) =>
          JSON.stringify({
            type,
            id,
            content,
            toolCalls: content,
            thoughts: content,
            displayContent: content,
          }),
        ),
      value.map((one) => JSON.stringify({ $set: { lastUpdated: one, other: one } })),
      value.map((one) => JSON.stringify(one)),
      fc.string().map((line) => line.replaceAll('\n', ' ')),
    )
    fc.assert(
      fc.property(transcript, fc.array(fc.tuple(fc.nat(), garbage), { maxLength: 8 }), (name, inserts) => {
        const bytes = sample(name)
        const lines = Buffer.from(bytes).toString('utf8').split('\n')
        for (const [at, line] of inserts) lines.splice(at % lines.length, 0, line)
        const damaged = Buffer.from(lines.join('\n'))
        const reading = read(damaged)
        expect(accounted(reading.report)).toBe(damaged.length)
        const whole = ids(read(bytes).messages)
        const found = ids(reading.messages)
        expect(found.filter((id) => whole.includes(id))).toEqual(whole)
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })

  it('a copy under another session id has the same messages under the same ids', () => {
    for (const name of SAMPLES) {
      const bytes = sample(name)
      const copy = bytesOf(
        recordsOf(bytes).map((record) =>
          'projectHash' in record ? { ...record, sessionId: 'another' } : record,
        ),
      )
      expect(ids(read(copy, { nativeId: 'another' }).messages)).toEqual(ids(read(bytes).messages))
    }
  })

  it('CRLF and a byte order mark change nothing that was said', () => {
    const bytes = sample('tui-rewound-resumed')
    const windows = Buffer.from(`\ufeff${Buffer.from(bytes).toString('utf8').replaceAll('\n', '\r\n')}`)
    const reading = read(windows)
    expect(reading.messages).toEqual(read(bytes).messages)
    expect(accounted(reading.report)).toBe(windows.length)
  })
})

/** As publishing gathers what was read of a conversation at several times. */
function gathered(parts: Message[][]): Message[] {
  const session = {
    version: '1.0',
    conversation_id: '001-brainstorm-x',
    conversation_type: 'brainstorm',
    title: 'x',
    status: 'paused' as const,
    created_at: '2026-11-21T20:00:00Z',
    last_active: '2026-11-21T20:00:00Z',
    message_count: 0,
    token_count: 0,
    agent_config: { client: 'gemini', command: 'x', system_prompt_hash: 'x', model: 'x', tools: [] },
    context_summary: '',
    agent_sessions: [],
  }
  const stretch = { client: 'gemini', nativeId: 'native', startedAt: session.created_at, mcpTools: [] }
  let lines: Message[] = []
  for (const messages of parts)
    lines = [...lines, ...reconcile(session, lines, [{ ...stretch, messages }]).append]
  return reconcile(session, lines, []).messages
}
