import { isPrompt, isTalk, textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { asTalk } from './as-talk.ts'
import { MARK } from './gaps.ts'
import { cutMessage } from './newest-turn.ts'
import { rarityIn } from './rarity.ts'
import { askedFirst, lookedAt } from './state/index.ts'
import type { History, Piece, Room } from './strategy.ts'
import { roughly } from './tokens/roughly.ts'
import type { Shown, ShownAt } from './tool-results.ts'

/** The messages that are shown so far, and the tokens that they take. */
export interface Filling {
  shown: ShownAt
  tokens: number
}

export interface Added {
  /** The tokens that may be used in all. */
  most: number
  wanted?: (message: Message) => boolean
}

/** Adding ends with less room than this, and after so many messages in a row that do not fit. */
const MIN = 24
const MAX_MISSES = 60

/** Adds the talk that is wanted and fits, newest first. Long words are cut so that they fit. */
export function addTalk(filling: Filling, history: History, room: Room, added: Added): void {
  add(filling, history, room, talkBackwards(history.live), added)
}

function* talkBackwards(live: readonly Message[]): Generator<number> {
  for (let place = live.length - 1; place >= 0; place -= 1) if (isTalk(live[place]!)) yield place
}

/**
 * Adds the talk that is wanted and fits. Messages whose words are rarest in this conversation, for their length, go first,
 * because they say most; of equal ones the newer goes first.
 */
export function addRarest(filling: Filling, history: History, room: Room, added: Added): void {
  add(filling, history, room, rarestFirst(history), added)
}

const ranked = new WeakMap<History, readonly number[]>()

/** The places of the talk that is looked at. They are kept, because this is asked again and again. */
function rarestFirst(history: History): readonly number[] {
  const before = ranked.get(history)
  if (before !== undefined) return before
  const { live, said, summaries } = history
  const covered = summaries.at(-1)?.end ?? 0
  const rarity = rarityIn(said)
  const places = lookedAt([...talkBackwards(live)].reverse())
  const worth = new Map<number, number>()
  for (const place of places) {
    const text = textOf(live[place]!)
    // A longer text of the same density says more.
    const density = rarity.worth(text) / (roughly(text) + HEAD) ** DENSITY
    worth.set(place, density * (place < covered ? COVERED : 1))
  }
  const sorted = places.toSorted((a, b) => worth.get(b)! - worth.get(a)! || b - a)
  ranked.set(history, sorted)
  return sorted
}

/** Tokens of the head of a message. */
const HEAD = 4
const DENSITY = 0.8
/** Factor for messages that a model's summary covers. */
const COVERED = 0.25

function add(
  filling: Filling,
  { live, said, answers }: History,
  room: Room,
  places: Iterable<number>,
  { most, wanted = () => true }: Added,
): void {
  const last = lastAnswers(live)
  const first = askedFirst(said)
  const gap = room.cost(MARK)
  let misses = 0
  for (const place of places) {
    const message = live[place]!
    if (most - filling.tokens < MIN || misses > MAX_MISSES) return
    if (filling.shown.has(place) || !wanted(message)) continue
    const longest = message.role === 'user' ? LONGEST_WORDS : last.has(message) ? LONGEST_ANSWER : WHOLE
    // The line of the task says more of the first request than a cut of it.
    const shown = fitting(asTalk(message, answers), room, message === first ? WHOLE : longest)
    const tokens = shown === undefined ? 0 : room.cost(shown.piece) + gap
    if (shown === undefined || filling.tokens + tokens > most) {
      misses += 1
      continue
    }
    misses = 0
    filling.tokens += tokens
    filling.shown.set(place, shown)
  }
}

/** Most tokens that are shown of a person's message, and of the last one of a turn, since it may be a paste. */
const LONGEST_WORDS = { tokens: 300, part: 0.06 }
const LONGEST_ANSWER = { tokens: 600, part: 0.1 }
const MIN_CUT = 60

/** The rest is shown whole or not at all. */
const WHOLE = undefined

function fitting(talk: Message, room: Room, longest: typeof LONGEST_WORDS | undefined): Shown | undefined {
  const whole: Piece = { message: talk }
  const most =
    longest === undefined
      ? room.tokens
      : Math.max(MIN_CUT, Math.min(longest.tokens, room.tokens * longest.part))
  if (room.cost(whole, most) <= most) return { piece: whole, how: 'talk' }
  const piece = longest && cutMessage(talk, room, most)
  return piece && { piece, how: 'cut' }
}

const known = new WeakMap<readonly Message[], Set<Message>>()

/** The agent's last message with a text in each turn: its result. */
export function lastAnswers(live: readonly Message[]): Set<Message> {
  const before = known.get(live)
  if (before !== undefined) return before
  const last = new Set<Message>()
  let answer: Message | undefined
  for (const message of live) {
    if (isPrompt(message) && answer !== undefined) last.add(answer)
    if (isPrompt(message)) answer = undefined
    else if (message.role === 'assistant' && textOf(message).trim() !== '') answer = message
  }
  if (answer !== undefined) last.add(answer)
  known.set(live, last)
  return last
}
