import type { Message } from '../session/schema.ts'
import type { Covering } from './covering.ts'
import type { Answers } from './render.ts'

/** One thing that an agent is given: a message, whole or shortened, or a note of ours between messages. */
export type Piece = { message: Message; cut?: true } | { note: string }

/** The live path of a conversation: without events and without what was rewound. */
export interface History {
  live: readonly Message[]
  /** The messages of the live path that a person or an agent said. */
  said: readonly Message[]
  answers: Answers
  /** The first request, when pruning moved it out of messages.jsonl. */
  task?: string | undefined
  /** The agent's name for the project: a path or a name. */
  project: string
  /** The question of the context, and how well each message of the live path answers it; 0 for not at all. */
  about?: { question: string; scores: readonly number[] }
  /** Summaries of the conversation's beginning that a model wrote, the shortest range first. */
  summaries: readonly Covering[]
}

/** The result of a strategy. It counts the messages that were said. */
export interface Told {
  pieces: Piece[]
  whole: number
  shortened: number
  /** Messages that are not shown, but of which a summary or the state says something. */
  summarised: number
  /** Number of the summarised messages that a model's summary covers. The others are summarised mechanically. */
  byModel?: { model: string; messages: number }
  toolResultsWhole: number
  /** Tool results that are shown shortened. */
  toolResultsPruned: number
  /** Tool calls that are reported with their result in one line. */
  toolCallsInALine: number
}

/** The room that the pieces may fill. */
export interface Room {
  tokens: number
  /** Tokens that a piece adds; Infinity when they are more than `limit`. */
  cost(piece: Piece, limit?: number): number
  /** Tokens of a bare text; Infinity when they are more than `limit`. */
  count(text: string, limit?: number): number
  /** The head and the tail of a text around a marker, in at most `tokens` tokens; '' when nothing fits. */
  cut(text: string, tokens: number): string
}

/** One way to tell a history. A new one needs a file in strategies/ and a word in strategies/index.ts. */
export interface Strategy {
  readonly name: string
  /** The lowest number is tried first. */
  readonly priority: number
  /** The strategy is not tried with a smaller budget. */
  readonly minTokens: number
  /**
   * The strategy makes itself as small as the room. If its result is still too large, it is asked again with less room.
   */
  readonly fitsItself: boolean
  /** The result shows every text of person and agent, so it need not be made where these alone are too long. */
  readonly showsTalk?: true
  /** The result is the same in more room. */
  readonly leavesRoom?: true
  /** The result represents the whole conversation, although it shows next to nothing of it. */
  readonly standsForAll?: true
  /** Undefined when the strategy cannot tell this history in this room. Pure and deterministic; keeps the order. */
  tell(history: History, room: Room): Told | undefined
}

export function callsOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0)
}

/** The tokens that all of the pieces take; Infinity when they are more than the room has. */
export function costOf(pieces: readonly Piece[], room: Room): number {
  let sum = 0
  for (const piece of pieces) {
    sum += room.cost(piece, room.tokens - sum)
    if (sum > room.tokens) return Number.POSITIVE_INFINITY
  }
  return sum
}
