import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawTranscript } from '../../../src/clients/contract/reading.ts'
import { Message } from '../../../src/session/schema.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { accounted, ids, lineStarts, said } from '../readings.ts'
import { everyFixture, everyReader, everyTranscript } from './every-client.ts'

it('there are fixtures of every client', () => {
  const ids = new Set(everyTranscript.map(({ client }) => client.id))
  expect([...ids].sort()).toEqual(everyReader.map(({ id }) => id).sort())
})

const some = runs(25, 250)

describe.each(everyTranscript)('reading $title', { timeout: TIME_FOR_RUNS }, ({ client, raw }) => {
  const { bytes } = raw
  const starts = lineStarts(bytes)
  const whole = client.reading.read(raw)
  const read = (more: Partial<RawTranscript>) => client.reading.read({ ...raw, ...more })
  const written = Buffer.from(bytes).toString('utf8')

  it('accounts for every byte, and knows every record', () => {
    expect(whole.report.bytes).toBe(bytes.length)
    expect(accounted(whole.report)).toBe(bytes.length)
    expect(whole.report.unknown).toEqual({})
    expect(whole.report.unreadable).toEqual([])
    expect(whole.messages.filter(({ event }) => event === 'unknown')).toEqual([])
  })

  it('twice is the same, and leaves the bytes alone', () => {
    const before = Buffer.from(bytes)
    expect(read({})).toEqual(whole)
    expect(Buffer.from(bytes).equals(before)).toBe(true)
  })

  it('gives messages of the schema, each id once, in the order of seq, on messages that are there', () => {
    const all = [...whole.messages, ...Object.values(whole.subagents).flat()]
    for (const message of all) {
      expect(Message.parse(message)).toEqual(message)
      expect(message).toMatchObject({ client: client.id, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) })
    }
    expect(new Set(ids(whole)).size).toBe(whole.messages.length)
    const seqs = whole.messages.map(({ seq }) => seq!)
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    const parents = whole.messages.flatMap(({ parent_id }) => parent_id ?? [])
    expect(ids(whole)).toEqual(expect.arrayContaining(parents))
  })

  it('gives no tool result without its call, and each call at most one (S3-W1)', () => {
    const calls = new Map<string, string>()
    const answered = new Set<string>()
    for (const message of whole.messages) {
      for (const { id, name } of message.tool_calls ?? []) calls.set(id, name)
      if (message.tool_call_id === undefined) continue
      expect(message).toMatchObject({ role: 'tool', tool_name: calls.get(message.tool_call_id) })
      expect(answered).not.toContain(message.tool_call_id)
      answered.add(message.tool_call_id)
    }
    for (const call of Object.keys(whole.subagents)) expect(calls.keys()).toContain(call)
  })

  it('gives the bytes of every attachment under their hash', () => {
    for (const { attachments = [] } of whole.messages)
      for (const { sha256 } of attachments) expect(whole.blobs.keys()).toContain(sha256)
    for (const [name, blob] of whole.blobs) expect(createHash('sha256').update(blob).digest('hex')).toBe(name)
  })

  it('a prefix gives the same messages as the whole, only fewer, in the same order (S1-001j)', () => {
    for (const to of starts) {
      const prefix = read({ to }).messages
      expect(prefix.map(({ id }) => id)).toEqual(ids(whole).slice(0, prefix.length))
      for (const [index, message] of prefix.entries()) {
        const full = whole.messages[index]!
        expect(full).toMatchObject({ seq: message.seq, role: message.role })
        // What an answer holds can grow, while it is written.
        expect(textOf(full)).toContain(textOf(message))
        expect(full.reasoning ?? '').toContain(message.reasoning ?? '')
        expect(full.tool_calls ?? []).toEqual(expect.arrayContaining(message.tool_calls ?? []))
      }
    }
  })

  it('in two segments gives the messages of the whole, wherever a prompt divides them', () => {
    const prompts = whole.messages.filter(({ role }) => role === 'user').map(({ seq }) => seq!)
    for (const prompt of prompts) {
      const cut = starts[prompt]!
      const [first, second] = [read({ to: cut }), read({ from: cut })]
      const told = (messages: readonly Message[]) =>
        messages.map(({ id, seq, content, to }) => ({ id, seq, content, to }))
      // A way back at the begin of a segment may be told in the one before it as well.
      const known = new Set(ids(first))
      const rest = second.messages.filter(({ id, event }) => event !== 'rewound' || !known.has(id))
      expect(told([...first.messages, ...rest])).toEqual(told(whole.messages))
      expect(accounted(first.report)).toBe(cut)
      expect(accounted(second.report)).toBe(bytes.length - cut)
    }
  })

  it('any cut of bytes is read without an error, and accounted for', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.nat(bytes.length), (a, b) => {
        const [from, to] = a < b ? [a, b] : [b, a]
        const { report } = read({ from, to })
        expect(report.bytes).toBe(to - from)
        expect(accounted(report)).toBe(to - from)
      }),
      some,
    )
  })

  it('a segment of lines says nothing that the whole does not, in its order', () => {
    const line = fc.nat(starts.length - 1)
    fc.assert(
      fc.property(line, line, (a, b) => {
        const [from, to] = a < b ? [starts[a]!, starts[b]!] : [starts[b]!, starts[a]!]
        const found = said(read({ from, to }))
        expect(said(whole).filter((id) => found.includes(id))).toEqual(found)
      }),
      some,
    )
  })

  it('under another session id gives the same messages under the same ids: a fork', () => {
    const forked = Buffer.from(written.replaceAll(raw.nativeId, 'another'))
    expect(ids(read({ bytes: forked, nativeId: 'another' }))).toEqual(ids(whole))
  })

  it('CRLF and a byte order mark change nothing that was said', () => {
    const windows = Buffer.from(`\ufeff${written.replaceAll('\n', '\r\n')}`)
    const reading = read({ bytes: windows })
    expect(reading.messages).toEqual(whole.messages)
    expect(reading.report).toMatchObject({ bytes: windows.length, unknown: {}, unreadable: [] })
    expect(accounted(reading.report)).toBe(windows.length)
  })

  it('a torn last line is counted, and read once it is whole', () => {
    const [last, end] = [starts.at(-2)!, bytes.length]
    for (const torn of [last + 1, Math.floor((last + end) / 2), end - 2])
      expect(read({ to: torn }).report.unreadable).toEqual([{ line: starts.length - 2, bytes: torn - last }])
    const unbroken = read({ to: end - 1 })
    expect(unbroken.report.unreadable).toEqual([])
    expect(unbroken.messages).toEqual(whole.messages)
  })
})

describe.each(everyFixture)('the running turn in $title', { timeout: TIME_FOR_RUNS }, ({ client, raw }) => {
  const { bytes } = raw
  const starts = lineStarts(bytes)

  it('begins at the begin of a line, or not yet', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length), (cut) => {
        const start = client.reading.turnStart(bytes.subarray(0, cut))
        expect(start === cut || starts.includes(start)).toBe(true)
        expect(start).toBeLessThanOrEqual(cut)
      }),
      some,
    )
  })
})

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : JSON.stringify(content).slice(1, -1)
}
