import { isPrompt, isTalk, textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { GAP_MARK } from './gaps.ts'
import { cutMessage } from './newest-turn.ts'
import { rarityIn } from './rarity.ts'
import { asTalk } from './rendering/as-talk.ts'
import { askedFirst, firstAndNewest } from './state/index.ts'
import type { History, Piece, Room } from './strategy.ts'
import { roughly } from './tokens/roughly.ts'
import type { Shown, ShownAt } from './tool-results.ts'

/** The messages that are shown so far, and the tokens that they take. */
export interface Filling {
  shown: ShownAt
  tokens: number
}

export interface AddOptions {
  /** Limit of `Filling.tokens`. */
  maxTokens: number
  accepts?: (message: Message) => boolean
}

/**
 * `addTalk` and `addRarest` stop when fewer than `MIN_TOKENS_LEFT` tokens are left. They also stop when more than
 * `MAX_MISFITS` messages in a row do not fit.
 */
const MIN_TOKENS_LEFT = 24
const MAX_MISFITS = 60

/**
 * Adds the talk that `options` accepts and that fits, the newest message first. Cuts a prompt or the last answer of a
 * turn if it is long.
 */
export function addTalk(filling: Filling, history: History, room: Room, options: AddOptions): void {
  add(filling, history, room, talkBackwards(history.live), options)
}

function* talkBackwards(live: readonly Message[]): Generator<number> {
  for (let index = live.length - 1; index >= 0; index -= 1) if (isTalk(live[index]!)) yield index
}

/**
 * Adds the talk that `options` accepts and that fits. The messages with the rarest words for their length go first,
 * because they say most. Of two equally rare messages, the newer one goes first.
 */
export function addRarest(filling: Filling, history: History, room: Room, options: AddOptions): void {
  add(filling, history, room, rarestFirst(history), options)
}

const ranked = new WeakMap<History, readonly number[]>()

/**
 * Returns the indexes of the first and the newest talk on the live path, the message with the rarest words first.
 * Cached, because strategies call this often.
 */
function rarestFirst(history: History): readonly number[] {
  const cached = ranked.get(history)
  if (cached !== undefined) return cached
  const { live, said, summaries } = history
  const covered = summaries.at(-1)?.end ?? 0
  const rarity = rarityIn(said)
  const indexes = firstAndNewest([...talkBackwards(live)].reverse())
  const worth = new Map<number, number>()
  for (const index of indexes) {
    const text = textOf(live[index]!)
    // Of two texts with equally rare words, the longer one says more. So the exponent is below 1.
    const density = rarity.worth(text) / (roughly(text) + HEAD_TOKENS) ** DENSITY_EXPONENT
    worth.set(index, density * (index < covered ? COVERED_FACTOR : 1))
  }
  const sorted = indexes.toSorted((a, b) => worth.get(b)! - worth.get(a)! || b - a)
  ranked.set(history, sorted)
  return sorted
}

/** Tokens of the line that names a message's speaker. */
const HEAD_TOKENS = 4
const DENSITY_EXPONENT = 0.8
/** Factor of the worth of messages that a model's summary covers. */
const COVERED_FACTOR = 0.25

function add(
  filling: Filling,
  { live, said, answers }: History,
  room: Room,
  indexes: Iterable<number>,
  { maxTokens, accepts = () => true }: AddOptions,
): void {
  const last = lastAnswers(live)
  const first = askedFirst(said)
  const gap = room.cost(GAP_MARK)
  let misfits = 0
  for (const index of indexes) {
    const message = live[index]!
    if (maxTokens - filling.tokens < MIN_TOKENS_LEFT || misfits > MAX_MISFITS) return
    if (filling.shown.has(index) || !accepts(message)) continue
    const limits = message.role === 'user' ? MAX_OF_PROMPT : last.has(message) ? MAX_OF_ANSWER : NO_LIMITS
    // The first request is shown whole or not at all. The line with the task says more than a cut request would.
    const shown = fitting(asTalk(message, answers), room, message === first ? NO_LIMITS : limits)
    const tokens = shown === undefined ? 0 : room.cost(shown.piece) + gap
    if (shown === undefined || filling.tokens + tokens > maxTokens) {
      misfits += 1
      continue
    }
    misfits = 0
    filling.tokens += tokens
    filling.shown.set(index, shown)
  }
}

/**
 * Limits of a prompt and of the last answer of a turn: longer ones are cut. A prompt may contain a paste. `part` is a
 * fraction of the room. The smaller of the two limits counts, but a message may always have `MIN_CUT_TOKENS`.
 */
const MAX_OF_PROMPT = { tokens: 300, part: 0.06 }
const MAX_OF_ANSWER = { tokens: 600, part: 0.1 }
const MIN_CUT_TOKENS = 60

/** No limits: the message is shown whole or not at all. */
const NO_LIMITS = undefined

function fitting(talk: Message, room: Room, limits: typeof MAX_OF_PROMPT | undefined): Shown | undefined {
  const whole: Piece = { message: talk }
  const maxTokens =
    limits === undefined
      ? room.tokens
      : Math.max(MIN_CUT_TOKENS, Math.min(limits.tokens, room.tokens * limits.part))
  if (room.cost(whole, maxTokens) <= maxTokens) return { piece: whole, how: 'talk' }
  const piece = limits && cutMessage(talk, room, maxTokens)
  return piece && { piece, how: 'cut' }
}

const lastAnswersOf = new WeakMap<readonly Message[], Set<Message>>()

/** Returns, for each turn, the agent's last message with a text: the result of the turn. */
export function lastAnswers(live: readonly Message[]): Set<Message> {
  const cached = lastAnswersOf.get(live)
  if (cached !== undefined) return cached
  const last = new Set<Message>()
  let answer: Message | undefined
  for (const message of live) {
    if (isPrompt(message) && answer !== undefined) last.add(answer)
    if (isPrompt(message)) answer = undefined
    else if (message.role === 'assistant' && textOf(message).trim() !== '') answer = message
  }
  if (answer !== undefined) last.add(answer)
  lastAnswersOf.set(live, last)
  return last
}
