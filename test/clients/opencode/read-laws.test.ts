import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/session/schema.ts'
import { accounted } from '../claude/transcript.ts'
import { read, SAMPLES, sample } from './transcript.ts'

const transcript = fc.constantFrom(...SAMPLES)
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

/** Offsets at which a line begins. */
function lineStarts(bytes: Uint8Array): number[] {
  const starts = [0]
  for (const [index, byte] of bytes.entries()) if (byte === 10) starts.push(index + 1)
  return starts
}

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
          expect(JSON.stringify(full).length).toBeGreaterThanOrEqual(JSON.stringify(message).length)
          expect(full.tool_calls ?? []).toEqual(expect.arrayContaining(message.tool_calls ?? []))
        }
      }),
    )
  })

  it('a stretch that begins with a prompt and ends anywhere is the same part of the whole', () => {
    fc.assert(
      fc.property(transcript, fc.nat(), fc.nat(), (name, first, length) => {
        const bytes = sample(name)
        const starts = lineStarts(bytes)
        const whole = read(bytes).messages
        const prompts = whole.filter(({ role }) => role === 'user').map(({ seq }) => seq!)
        const begin = prompts[first % prompts.length]!
        const end = Math.min(begin + 1 + (length % 30), starts.length - 1)
        const nativeId = read(bytes).messages[0]!.native_session as string
        const stretch = read(bytes, { nativeId, from: starts[begin]!, to: starts[end]! })
        const expected = whole.filter(({ seq }) => seq! >= begin && seq! < end)
        expect(stretch.messages.map(({ id, seq }) => [id, seq])).toEqual(
          expected.map(({ id, seq }) => [id, seq]),
        )
        expect(stretch.facts).toMatchObject({ title: read(bytes).facts.title })
        expect(accounted(stretch.report)).toBe(starts[end]! - starts[begin]!)
      }),
    )
  })

  it('any cut of bytes is read without an error, and accounted for', () => {
    fc.assert(
      fc.property(transcript, fc.nat(), fc.nat(), (name, a, b) => {
        const bytes = sample(name)
        const [from, to] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ]
        const { report } = read(bytes, { from, to })
        expect(report.bytes).toBe(to - from)
        expect(accounted(report)).toBe(to - from)
      }),
    )
  })

  it('damage among the lines loses none of the other messages (S0-D2e)', () => {
    const garbage = fc.oneof(
      fc.constantFrom(
        '{"type":"message"',
        '[]',
        '42',
        'null',
        '',
        '\r',
        '{"type":"__proto__"}',
        '<<<<<<< HEAD',
      ),
      fc
        .tuple(fc.constantFrom('session', 'message', 'removed', 'x'), fc.jsonValue(), fc.jsonValue())
        .map(([type, info, parts]) => JSON.stringify({ type, id: 'x', info, parts })),
      fc
        .tuple(fc.constantFrom('user', 'assistant', 'x'), fc.array(fc.jsonValue()))
        .map(([role, parts]) => JSON.stringify({ type: 'message', id: 'x', info: { role }, parts })),
      fc.string().map((line) => line.replaceAll('\n', ' ')),
    )
    fc.assert(
      fc.property(transcript, fc.array(fc.tuple(fc.nat(), garbage), { maxLength: 8 }), (name, inserts) => {
        const bytes = sample(name)
        const whole = read(bytes)
        const nativeId = whole.messages[0]!.native_session as string
        const lines = Buffer.from(bytes).toString('utf8').split('\n')
        for (const [at, line] of inserts) lines.splice(at % lines.length, 0, line)
        const damaged = Buffer.from(lines.join('\n'))
        const reading = read(damaged, { nativeId })
        expect(accounted(reading.report)).toBe(damaged.length)
        const found = ids(reading.messages)
        expect(found.filter((id) => ids(whole.messages).includes(id))).toEqual(ids(whole.messages))
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })

  it('records that stand twice change nothing, wherever the second one stands', () => {
    fc.assert(
      fc.property(transcript, fc.array(fc.nat(), { maxLength: 6 }), (name, picks) => {
        const bytes = sample(name)
        const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n')
        const repeated = picks.map((pick) => lines[pick % lines.length]!)
        const twice = Buffer.from(`${[...lines, ...repeated].join('\n')}\n`)
        expect(read(twice).messages).toEqual(read(bytes).messages)
        expect(accounted(read(twice).report)).toBe(twice.length)
      }),
    )
  })

  it('a torn last line is counted, and read once it is whole', () => {
    const bytes = sample('headless-1.18.33')
    const start = lineStarts(bytes).at(-2)!
    expect(read(bytes, { to: start + 50 }).report.unreadable).toEqual([{ line: 34, bytes: 50 }])
    expect(read(bytes, { to: bytes.length - 1 }).report.unreadable).toEqual([])
  })
})
