import type { Message } from '../session/schema.ts'
import type { Covering } from './covering.ts'
import type { Answers } from './rendering/answers.ts'

/** A part of a context: a message, whole or shortened, or a note that cortext writes. */
export type Piece = { message: Message; cut?: true } | { note: string }

/** The history of a conversation. A strategy shows a part of it. */
export interface History {
  /** The live path: it has no events and no rewound messages. */
  live: readonly Message[]
  /** The messages of the live path that a person or an agent said. */
  said: readonly Message[]
  /** The messages of the live path after which the person interrupted the agent. */
  interrupted: ReadonlySet<Message>
  answers: Answers
  /** The first request, if pruning moved it out of messages.jsonl. */
  task?: string | undefined
  /** The name of the project: the name of its folder. */
  project: string
  /**
   * The question of the context, and a score for each message of the live path. The score says how well the message
   * answers the question, 0 for not at all.
   */
  about?: { question: string; scores: readonly number[] }
  /** Summaries of the beginning of the conversation, written by a model. The one of the shortest range comes first. */
  summaries: readonly Covering[]
}

/** The result of a strategy. `whole`, `shortened` and `summarised` count messages that a person or an agent said. */
export interface StrategyResult {
  pieces: Piece[]
  whole: number
  shortened: number
  /** Number of messages that are not shown, but that a summary or the state covers. */
  summarised: number
  /** Number of the summarised messages that a model's summary covers. The others are summarised without a model. */
  byModel?: { model: string; messages: number }
  toolResultsWhole: number
  /** Number of tool results that are shown shortened. */
  toolResultsPruned: number
  /** Number of tool calls that are reported in a line with their outcome. */
  toolCallsInALine: number
}

/** The room that the pieces may fill. */
export interface Room {
  tokens: number
  /** Tokens that a piece adds; Infinity when they are more than `limit`. */
  cost(piece: Piece, limit?: number): number
  /** Tokens of a bare text; Infinity when they are more than `limit`. */
  count(text: string, limit?: number): number
  /** Cuts a text to its head and tail around a marker, in at most `tokens` tokens; '' when nothing fits. */
  cut(text: string, tokens: number): string
}

/**
 * A way to show a history within a budget. A new strategy needs a file in strategies/ and an entry in
 * strategies/index.ts.
 */
export interface Strategy {
  readonly name: string
  /** The lowest number is tried first. */
  readonly priority: number
  /** The strategy is not tried with a smaller budget. */
  readonly minTokens: number
  /** The strategy fills whatever room it gets. It is tried again with less room if its result is too large. */
  readonly fitsItself: boolean
  /** The result shows every text of person and agent. So the strategy is tried only if these texts may fit. */
  readonly showsTalk?: true
  /** The strategy needs no note on the state of the work, and is not tried again with more room. */
  readonly leavesRoom?: true
  /** The result represents the whole conversation, although it shows hardly any of it. */
  readonly standsForAll?: true
  /**
   * Undefined when the strategy cannot show this history in this room. Pure and deterministic. Keeps the order of the
   * messages.
   */
  show(history: History, room: Room): StrategyResult | undefined
}

export function callsOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0)
}

/** Returns the tokens that all pieces take; Infinity when they are more than the room has. */
export function costOf(pieces: readonly Piece[], room: Room): number {
  let sum = 0
  for (const piece of pieces) {
    sum += room.cost(piece, room.tokens - sum)
    if (sum > room.tokens) return Number.POSITIVE_INFINITY
  }
  return sum
}
