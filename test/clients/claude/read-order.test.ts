import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { livePath } from '../../../src/session/live-path.ts'
import { orderMessages } from '../../../src/session/message-order.ts'
import { newLines } from '../../../src/session/reconcile.ts'
import type { Message } from '../../../src/session/schema.ts'
import { segmentEvent } from '../../../src/session/segment-event.ts'
import { type Shuffle, shuffle, shuffled } from './shuffle.ts'
import {
  accounted,
  answer,
  bytesOf,
  call,
  read,
  record,
  result,
  sample,
  script,
  text,
  user,
} from './transcript.ts'

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)
const withoutSeq = (messages: readonly Message[]) => messages.map(({ seq: _, ...message }) => message)

/** What messages.jsonl holds when a transcript is published at each of these sizes, one after the other. */
function publish(transcript: Uint8Array, sizes: readonly number[]): Message[] {
  let file: Message[] = []
  for (const to of sizes) file = [...file, ...newLines(file, read(transcript, { to }).messages)]
  return orderMessages(file)
}

function lineEnds(transcript: Uint8Array): number[] {
  return [...transcript.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))
}

describe('an answer that was written above its prompt', () => {
  it('is read after it all the same, whichever lines changed places', () => {
    fc.assert(
      fc.property(shuffle, (one) => {
        const straight = read(sample(one.name))
        const reading = read(shuffled(one))
        expect(ids(reading.messages)).toEqual(ids(straight.messages))
        expect(withoutSeq(reading.messages)).toEqual(withoutSeq(straight.messages))
        expect(reading.facts.settled).toBe(straight.facts.settled)
        expect(accounted(reading.report)).toBe(reading.report.bytes)
        const seqs = reading.messages.map(({ seq }) => seq!)
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      }),
    )
  })

  it('is published prefix by prefix with the result of reading the whole, and never a rewind', () => {
    fc.assert(
      fc.property(shuffle, fc.array(fc.nat(), { maxLength: 12 }), (one, cuts) => {
        const transcript = shuffled(one)
        const ends = lineEnds(transcript)
        const sizes = cuts.map((cut) => ends[cut % ends.length]!).sort((a, b) => a - b)
        expect(publish(transcript, [...sizes, transcript.length])).toEqual(read(transcript).messages)
        const order = ids(read(sample(one.name)).messages)
        for (const to of sizes) {
          const found = ids(read(transcript, { to }).messages)
          expect(order.filter((id) => found.includes(id))).toEqual(found)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('is published with the same result after every line that is written', () => {
    const one = {
      name: 'tui-before-rewind',
      moves: [0, 1, 5].map((turn) => ({ turn, from: 0, count: 9, past: 9 })),
    }
    const transcript = shuffled(one as Shuffle)
    expect(transcript).not.toEqual(sample(one.name))
    expect(publish(transcript, lineEnds(transcript))).toEqual(read(transcript).messages)
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

  it('has the same seq in a segment that begins with the two', () => {
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
      const segment = read(lines, { from: bytesOf(lines.slice(0, count)).length }).messages
      expect(segment.map(({ id, seq }) => [id, seq])).toEqual(
        whole.slice(count).map(({ id, seq }) => [id, seq]),
      )
      expect(segment.filter(({ event }) => event !== undefined)).toEqual([])
    }
  })

  it('comes after the line that marks the begin of a segment', () => {
    const lines = [answer('a1', 'u1', 'm1', text('first')), user('u1', null, 'one')]
    const begin = { client: 'claude', nativeId: 'native', from: 'a1', startedAt: lines[0]!.timestamp }
    const published: Message[] = []
    for (const count of [1, 2]) {
      const said = read(lines.slice(0, count)).messages
      published.push(...newLines(published, [...segmentEvent({ ...begin, how: 'start' }, said), ...said]))
    }
    expect(script({ messages: orderMessages(published) })).toEqual([
      'started: ',
      'user: one',
      'assistant: first',
    ])
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

  it('is found when the lines between the two are in any order too', () => {
    const lines = [
      answer('a1', 'o1', 'm1', text('looks good')),
      user('u1', null, 'unanswered'),
      user('o1', 'i1', '<bash-stdout>out</bash-stdout><bash-stderr></bash-stderr>'),
      user('i1', 'u1', '<bash-input>ls</bash-input>'),
    ]
    for (const line of lines) line.timestamp = lines[0]!.timestamp
    const transcript = bytesOf(lines)
    expect(script(read(transcript))).toEqual([
      'user: unanswered',
      'user: !ls',
      'tool bash-mode: out',
      'assistant: looks good',
    ])
    expect(publish(transcript, lineEnds(transcript))).toEqual(read(transcript).messages)
  })

  it('is found together with what the client wrote between the two', () => {
    const note = (uuid: string, parent: string) =>
      record(uuid, parent, { type: 'attachment', attachment: { type: 'date' } })
    const [first, prompt] = [user('u1', null, 'one'), user('u2', 'n0', 'two')]
    const [n0, n1, n2, n3] = [note('n0', 'u1'), note('n1', 'u2'), note('n2', 'n1'), note('n3', 'n2')]
    const reply = answer('a2', 'n3', 'm2', text('second'))
    // Made before the prompt that they hang on, as seen.
    for (const one of [n1, n2, n3]) one.timestamp = first.timestamp
    for (const late of [
      [n1, n2, prompt],
      [n2, prompt, n1],
      [n1, prompt, n2],
      [n2, n1, prompt],
    ]) {
      const lines = [first, n0, n3, reply, ...late]
      const transcript = bytesOf(lines)
      const messages = publish(transcript, lineEnds(transcript))
      expect(script({ messages })).toEqual(['user: one', 'user: two', 'assistant: second'])
      expect(messages).toEqual(read(transcript).messages)
      expect(messages[2]?.parent_id).toBe(messages[1]?.id)
    }
    const beforeThePrompt = read([first, n0, n3, reply]).messages
    expect(beforeThePrompt[1]).not.toHaveProperty('parent_id')
  })

  it('does not make a rewind where one of several tool results was written late', () => {
    const asked = { stop_reason: 'tool_use' }
    const lines = [
      user('u1', null, 'one'),
      answer('a1', 'u1', 'm1', call('t1', 'Read'), asked),
      answer('a2', 'a1', 'm1', call('t2', 'Read'), asked),
      user('r2', 'a2', result('t2', 'b')),
      answer('a3', 'r2', 'm2', text('done')),
      user('r1', 'a1', result('t1', 'a')),
      user('u2', 'a3', 'two'),
    ]
    expect(read(lines).messages.filter(({ event }) => event !== undefined)).toEqual([])
  })

  it('is not seen where a clock went back', () => {
    const lines = [
      user('u1', null, 'one'),
      answer('a1', 'u1', 'm1', text('first')),
      user('u2', 'a1', 'two'),
      answer('a2', 'torn', 'm2', text('second')),
      user('u3', 'a2', 'three'),
      user('u4', 'u1', 'back'),
    ]
    lines[4]!.timestamp = lines[0]!.timestamp
    expect(script(read(lines)).slice(3, 5)).toEqual(['assistant: second', 'user: three'])
    lines[5]!.timestamp = lines[0]!.timestamp
    const segment = read([...lines.slice(0, 3), lines[5]!], { from: bytesOf(lines.slice(0, 2)).length })
    expect(script(segment)).toEqual(['user: two', 'rewound: ', 'user: back'])
  })
})
