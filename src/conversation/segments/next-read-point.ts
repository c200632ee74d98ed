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
 * At the end of a piece, if the last messages are very long, at most this number of bytes is read again, but at least
 * two messages are.
 */
const MAX_PIECE_READ_AGAIN = 256 * 1024

/**
 * Returns the point at which the next reading can begin, for a segment that ends with `messages`. These messages were
 * read from `bytes`, which begin at the offset `at` with the line `line`. After a short talk there is no `again`: the
 * next reading reads the whole segment. `how`: whether the last turn has ended, or only a piece of the segment was read,
 * at whose end no message can grow any more.
 */
export function nextReadPointIn(
  { bytes, at, line }: { bytes: Uint8Array; at: number; line: number },
  messages: readonly Message[],
  how: 'settled' | 'open' | 'piece',
): NextReadPoint {
  const grows = how === 'open' ? Math.max(0, messages.findLastIndex(isPrompt)) : messages.length
  const [published, open] = [messages.slice(0, grows), messages.slice(grows)]
  const talk = talkIn(published).slice(-READ_AGAIN)
  const offset = ({ seq }: { seq: number }) => offsetOf(bytes, seq - line)
  const near =
    how === 'piece' ? talk.findIndex((one) => bytes.length - offset(one) <= MAX_PIECE_READ_AGAIN) : 0
  const begin = Math.min(near === -1 ? talk.length : near, Math.max(0, talk.length - 2))
  const [first, second] = [talk[begin], talk[Math.min(begin + LEADING_COUNT, talk.length - 1)]]
  const isShort = how !== 'piece' && talk.length < READ_AGAIN
  if (first === undefined || second === undefined || isShort) return { seen: [], open }
  const again = { at: at + offset(first), line: first.seq }
  // The messages before `second` get no hash, because they are not compared.
  const seen = published.flatMap((message, index): NextReadPoint['seen'] =>
    index < first.index ? [] : [[message.id, index < second.index ? '' : hashOf(message)]],
  )
  return { again, seen, open }
}

function talkIn(messages: readonly Message[]): { index: number; seq: number }[] {
  return messages.flatMap((message, index) =>
    isTalk(message) && Number.isInteger(message.seq) ? [{ index, seq: message.seq! }] : [],
  )
}

/** Returns the offset of a line; lines are counted from 0. */
function offsetOf(bytes: Uint8Array, line: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  for (let left = line; left > 0; left -= 1) at = buffer.indexOf(10, at) + 1
  return at
}
