import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/session/schema.ts'
import { accounted, bytesOf, read, recordsOf, SAMPLES, sample } from './transcript.ts'

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
          expect(String(full.reasoning ?? '')).toContain(message.reasoning ?? '')
          expect(full.tool_calls ?? []).toEqual(expect.arrayContaining(message.tool_calls ?? []))
          if (message.content !== '') expect(message.content).toEqual(full.content)
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
        // Whether a command to the client was refused is told by the record behind it.
        fc.pre(
          !Buffer.from(bytes.subarray(starts[end]))
            .toString('utf8')
            .split('\n')[0]!
            .includes('<local-command-stderr>'),
        )
        const stretch = read(bytes, { from: starts[begin]!, to: starts[end]! })
        const expected = whole.filter(({ seq }) => seq! >= begin && seq! < end)
        expect(stretch.messages.map(({ id, seq }) => [id, seq])).toEqual(
          expected.map(({ id, seq }) => [id, seq]),
        )
        expect(stretch.report.bytes).toBe(starts[end]! - starts[begin]!)
        expect(accounted(stretch.report)).toBe(stretch.report.bytes)
      }),
    )
  })

  it('a stretch that begins inside an answer has its rest under the id of the whole', () => {
    fc.assert(
      fc.property(transcript, fc.nat(), (name, cut) => {
        const bytes = sample(name)
        const starts = lineStarts(bytes)
        const stretch = read(bytes, { from: starts[cut % starts.length]! })
        const whole = ids(read(bytes).messages)
        expect(whole).toEqual(expect.arrayContaining(ids(stretch.messages)))
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
        '{"type":"user"',
        '[]',
        '42',
        'null',
        '',
        '\r',
        '\ufeff{}',
        '{"type":"__proto__"}',
        '<<<<<<< HEAD',
      ),
      fc.jsonValue().map((value) => JSON.stringify({ type: value, message: value, attachment: value })),
      fc
        .tuple(
          fc.constantFrom('user', 'assistant', 'attachment', 'system', 'progress', 'queue-operation'),
          fc.jsonValue(),
        )
        .map(([type, value]) =>
          JSON.stringify({ type, message: { content: value }, data: value, attachment: value }),
        ),
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
        expect(reading.messages.filter(({ event }) => event === 'rewound')).toEqual([])
        const whole = ids(read(bytes).messages)
        const found = ids(reading.messages)
        expect(found.filter((id) => whole.includes(id))).toEqual(whole)
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })

  it('a fork has the same messages under the same ids', () => {
    for (const name of SAMPLES) {
      const bytes = sample(name)
      const fork = bytesOf(
        recordsOf(bytes).map((record) => ({ ...record, sessionId: 'another', forkedFrom: {} })),
      )
      expect(ids(read(fork, { nativeId: 'another' }).messages)).toEqual(ids(read(bytes).messages))
    }
  })

  it('a torn last line is counted, and read once it is whole', () => {
    const bytes = sample('headless-main-1111')
    const start = lineStarts(bytes).at(-3)!
    const torn = read(bytes, { to: start + 50 })
    expect(torn.report.unreadable).toEqual([{ line: 110, bytes: 50 }])
    expect(read(bytes, { to: bytes.length - 1 }).report.unreadable).toEqual([])
  })

  it('CRLF and a byte order mark change nothing that was said', () => {
    const bytes = sample('tui-before-rewind')
    const windows = Buffer.from(`\ufeff${Buffer.from(bytes).toString('utf8').replaceAll('\n', '\r\n')}`)
    const reading = read(windows)
    expect(ids(reading.messages)).toEqual(ids(read(bytes).messages))
    expect(accounted(reading.report)).toBe(windows.length)
  })
})
