import { isPrompt, isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { hashOf } from '../../store/machine/published.ts'
import type { NextReadPoint } from './segment-content.ts'

/**
 * This many messages of people and agents are read again: the last ones that can no longer grow. The first
 * `LEADING_COUNT` of them are not compared: they only give the transcript reader the context of the others.
 */
const READ_AGAIN = 9
const LEADING_COUNT = 3

/**
 * Returns the point at which the next reading can begin, for a segment that ends with `messages`. These messages were
 * read from `bytes`, which begin at the offset `at` with the line `line`. After a short talk there is no `again`: the
 * next reading reads the whole segment.
 */
export function nextReadPointIn(
  { bytes, at, line }: { bytes: Uint8Array; at: number; line: number },
  messages: readonly Message[],
  settled: boolean,
): NextReadPoint {
  const lastAsked = messages.findLastIndex(isPrompt)
  const grows = settled ? messages.length : Math.max(0, lastAsked)
  const open = messages.slice(grows)
  const published = messages.slice(0, grows)
  const talk = talkIn(published)
  const [first, second] = [talk.at(-READ_AGAIN), talk.at(LEADING_COUNT - READ_AGAIN)]
  if (first === undefined || second === undefined) return { seen: [], open }
  const offset = offsetOf(bytes, first.seq - line)
  return {
    again: { at: at + offset, line: first.seq },
    seen: seenFrom(published, first.index, second.index),
    open,
  }
}

/**
 * Like `nextReadPointIn`, but at the end of a piece, whose messages cannot grow any more. If the last messages are very
 * long, fewer of them are read again.
 */
export function pieceReadPointIn(
  { bytes, at, line }: { bytes: Uint8Array; at: number; line: number },
  messages: readonly Message[],
): NextReadPoint {
  const talk = talkIn(messages).slice(-READ_AGAIN)
  const offsets = talk.map(({ seq }) => offsetOf(bytes, seq - line))
  const near = offsets.findIndex((offset) => bytes.length - offset <= MAX_READ_AGAIN)
  const begin = Math.min(near === -1 ? talk.length : near, Math.max(0, talk.length - 2))
  const [first, second] = [talk[begin], talk[Math.min(begin + LEADING_COUNT, talk.length - 1)]]
  if (first === undefined || second === undefined) return { seen: [], open: [] }
  const again = { at: at + offsets[begin]!, line: first.seq }
  return { again, seen: seenFrom(messages, first.index, second.index), open: [] }
}

/**
 * The most bytes that are read again at the end of a piece. At least two messages are read again, even if they are
 * longer.
 */
const MAX_READ_AGAIN = 256 * 1024

function talkIn(messages: readonly Message[]): { index: number; seq: number }[] {
  return messages.flatMap((message, index) =>
    isTalk(message) && Number.isInteger(message.seq) ? [{ index, seq: message.seq! }] : [],
  )
}

/** Returns the messages from `first` on. Those before `second` get no hash, because they are not compared. */
function seenFrom(messages: readonly Message[], first: number, second: number): NextReadPoint['seen'] {
  return messages
    .slice(first)
    .map((message, index) => [message.id, first + index < second ? '' : hashOf(message)])
}

/** Returns the offset of a line; lines are counted from 0. */
function offsetOf(bytes: Uint8Array, line: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  for (let left = line; left > 0; left -= 1) at = buffer.indexOf(10, at) + 1
  return at
}
