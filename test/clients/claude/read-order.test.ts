import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawTranscript } from '../../../src/clients/client.ts'
import { livePath } from '../../../src/session/live-path.ts'
import { orderMessages } from '../../../src/session/order.ts'
import { newLines } from '../../../src/session/reconcile.ts'
import type { Message } from '../../../src/session/schema.ts'
import {
  accounted,
  answer,
  bytesOf,
  read,
  record,
  SAMPLES,
  sample,
  script,
  text,
  user,
} from './transcript.ts'

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)
const withoutSeq = (messages: readonly Message[]) => messages.map(({ seq: _, ...message }) => message)

/** The lines of a sample, and the runs of lines [begin, middle, end) that are a prompt and the answer behind it. */
function linesOf(name: string) {
  const lines = Buffer.from(sample(name)).toString('utf8').trimEnd().split('\n')
  const records = lines.map((line) => JSON.parse(line))
  const said = records.map((one) => (one.type === 'assistant' || one.type === 'user' ? one : undefined))
  const turns: { begin: number; middle: number; end: number }[] = []
  for (const [middle, one] of said.entries()) {
    if (one?.type !== 'assistant' || records[middle - 1]?.type === 'assistant') continue
    const begin = records.findLastIndex((other, at) => at < middle && other.type === 'assistant') + 1
    const next = records.findIndex((other, at) => at > middle && other.type !== 'assistant')
    turns.push({ begin, middle, end: next === -1 ? records.length : next })
  }
  return { lines, turns }
}

/**
 * A sample in which some answers stand above what was said before them: each time a part of the lines between two
 * answers is written behind the first lines of the second.
 */
const swapped = fc
  .record({
    name: fc.constantFrom(...SAMPLES),
    swaps: fc.array(fc.record({ turn: fc.nat(), from: fc.nat(), lines: fc.nat() }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ name, swaps }) => {
    const { lines, turns } = linesOf(name)
    for (const swap of turns.length === 0 ? [] : swaps) {
      const { begin, middle, end } = turns.splice(swap.turn % turns.length, 1)[0]!
      const from = begin + (swap.from % (middle - begin))
      const to = middle + 1 + (swap.lines % (end - middle))
      const late = lines.slice(from, middle)
      lines.splice(from, to - from, ...lines.slice(middle, to), ...late)
      if (turns.length === 0) break
    }
    return { name, lines }
  })

const bytes = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''))

/** What messages.jsonl holds when a transcript is published at each of these sizes, one after the other. */
function publish(
  transcript: Uint8Array,
  sizes: readonly number[],
  more: Partial<RawTranscript> = {},
): Message[] {
  let file: Message[] = []
  for (const to of sizes) file = [...file, ...newLines(file, read(transcript, { ...more, to }).messages)]
  return orderMessages(file)
}

function lineEnds(transcript: Uint8Array): number[] {
  return [...transcript.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))
}

describe('an answer that was written above its prompt', () => {
  it('stands below it all the same, whichever lines changed places', () => {
    fc.assert(
      fc.property(swapped, ({ name, lines }) => {
        const straight = read(sample(name))
        const reading = read(bytes(lines))
        expect(withoutSeq(reading.messages)).toEqual(withoutSeq(straight.messages))
        expect(reading.facts.settled).toBe(straight.facts.settled)
        expect(accounted(reading.report)).toBe(reading.report.bytes)
        const seqs = reading.messages.map(({ seq }) => seq!)
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      }),
    )
  })

  it('publishing one prefix after the other gives the reading of the whole, and never a rewind', () => {
    fc.assert(
      fc.property(swapped, fc.infiniteStream(fc.boolean()), ({ name, lines }, picks) => {
        const transcript = bytes(lines)
        const sizes = lineEnds(transcript).filter(() => picks.next().value)
        expect(publish(transcript, [...sizes, transcript.length])).toEqual(read(transcript).messages)
        const order = ids(read(sample(name)).messages)
        for (const to of sizes) {
          const { messages } = read(transcript, { to })
          expect(order.filter((id) => ids(messages).includes(id))).toEqual(ids(messages))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('keeps the seq that it had, and the prompt goes between it and the line before', () => {
    const lines = [
      user('u1', null, 'one'),
      answer('a1', 'u1', 'm1', text('first')),
      answer('a2', 'x2', 'm2', text('second')),
      user('u2', 'a1', 'two'),
      record('x2', 'u2', { type: 'attachment', attachment: { type: 'date' } }),
      user('u3', 'a2', 'three'),
    ]
    // The prompt was made before the answer, whenever it was written.
    lines[3]!.timestamp = lines[1]!.timestamp
    lines[4]!.timestamp = lines[1]!.timestamp
    const { messages } = read(lines)
    expect(script({ messages })).toEqual([
      'user: one',
      'assistant: first',
      'user: two',
      'assistant: second',
      'user: three',
    ])
    expect(messages.map(({ seq }) => seq)).toEqual([0, 1, 1.5, 2, 5])
    expect(messages.map(({ parent_id }) => parent_id)).toEqual([undefined, ...ids(messages).slice(0, -1)])
    const early = read(lines.slice(0, 3)).messages.at(-1)!
    expect(early).toMatchObject({ id: messages[3]!.id, seq: 2 })
    expect(early).not.toHaveProperty('parent_id')
  })

  it('has the same seq in a stretch that begins with the two', () => {
    const lines = [
      user('u1', null, 'one'),
      answer('a1', 'u1', 'm1', text('first')),
      answer('a2', 'u2', 'm2', text('second')),
      user('u2', 'a1', 'two'),
      answer('a3', 'u3', 'm3', text('third')),
      user('u3', 'a2', 'three'),
    ]
    const whole = read(lines).messages
    for (const count of [2, 4]) {
      const stretch = read(lines, { from: bytesOf(lines.slice(0, count)).length }).messages
      expect(stretch.map(({ id, seq }) => [id, seq])).toEqual(
        whole.slice(count).map(({ id, seq }) => [id, seq]),
      )
      expect(stretch.filter(({ event }) => event !== undefined)).toEqual([])
    }
  })

  it('is found in a person’s rewind as well', () => {
    const lines = [
      user('u1', null, 'one'),
      answer('a1', 'u1', 'm1', text('first')),
      user('u2', 'a1', 'two'),
      answer('a2', 'u2', 'm2', text('second')),
      answer('a3', 'u3', 'm3', text('instead')),
      user('u3', 'a1', 'two, again'),
    ]
    const messages = publish(bytesOf(lines), lineEnds(bytesOf(lines)))
    expect(messages).toEqual(read(lines).messages)
    expect(script({ messages: livePath(messages) })).toEqual([
      'user: one',
      'assistant: first',
      'user: two, again',
      'assistant: instead',
    ])
  })

  it('is not seen where a line is damaged and the person went back later', () => {
    const lines = [
      user('u1', null, 'one'),
      answer('a1', 'u1', 'm1', text('first')),
      answer('a2', 'torn', 'm2', text('second')),
      user('u3', 'a1', 'back'),
    ]
    expect(script(read(lines))).toEqual([
      'user: one',
      'assistant: first',
      'assistant: second',
      'rewound: ',
      'user: back',
    ])
  })
})
