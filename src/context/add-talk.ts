import { isTalk } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { cutMessage } from './newest-turn.ts'
import { asTalk } from './render.ts'
import type { History, Piece, Room } from './strategy.ts'
import type { ShownAt } from './tool-results.ts'

/** What is shown so far, and the tokens that it takes. */
export interface Filling {
  shown: ShownAt
  tokens: number
}

/** Older words of the person are cut from this many tokens on; a paste may be among them. */
const LONG_WORDS = 300
/** Less room than this takes no message, and behind so many in a row that do not fit older ones are not tried. */
const LEAST = 24
const MOST_MISSES = 60

/**
 * Adds the talk that is wanted and fits into `most` tokens, newest first. Long words of the person are cut so that they
 * fit. `gap` tokens are set aside for the note before a piece that messages are missing.
 */
export function addTalk(
  filling: Filling,
  { live, answers }: History,
  room: Room,
  {
    most,
    gap: noted,
    wanted = () => true,
  }: { most: number; gap: number; wanted?: (message: Message) => boolean },
): void {
  // A message right before a shown piece only moves the gap; it does not add another one.
  let gap = 0
  let misses = 0
  for (let index = live.length - 1; index >= 0; index -= 1) {
    const message = live[index]!
    if (!isTalk(message)) continue
    const between = gap
    gap = filling.shown.has(index) ? 0 : noted
    if (gap === 0 || !wanted(message)) continue
    const talk = asTalk(message, answers)
    const whole: Piece = { message: talk }
    const cost = room.cost(whole, room.tokens)
    const long = message.role === 'user' && cost > LONG_WORDS
    const piece = long ? cutMessage(talk, room, LONG_WORDS) : whole
    if (piece === undefined) continue
    const tokens = (long ? room.cost(piece) : cost) + between
    if (filling.tokens + tokens > most) {
      if (most - filling.tokens < LEAST || ++misses > MOST_MISSES) return
      continue
    }
    misses = 0
    gap = 0
    filling.tokens += tokens
    filling.shown.set(index, { piece, how: long ? 'cut' : 'talk' })
  }
}
