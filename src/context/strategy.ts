import type { Message } from '../session/schema.ts'
import type { Covering } from './covering.ts'
import type { Answers } from './render.ts'

/** One thing that an agent is given: a message, as it was said or shorter, or a note of ours between them. */
export type Piece = { message: Message } | { note: string }

/** The live path of a conversation: no events, nothing that was rewound. */
export interface History {
  live: readonly Message[]
  /** Of these, what a person or an agent said. */
  said: readonly Message[]
  answers: Answers
  /** What the person asked for first, where pruning moved it out of the record. */
  task?: string | undefined
  /** What the agent calls the project: a path or a name. */
  project: string
  /** Summaries of its beginning that a model wrote, least first. */
  summaries: readonly Covering[]
}

/** What a strategy makes of a history. The counts are of the messages that were said. */
export interface Told {
  pieces: Piece[]
  whole: number
  shortened: number
  /** Of which a summary or the state says something, and which are not there themselves. */
  summarised: number
  /** Of these the ones that a model's summary stands for; the others are told mechanically. */
  byModel?: { model: string; messages: number }
  toolResultsWhole: number
  /** Tool results that are there, but pruned. */
  toolResultsPruned: number
  /** Tool calls that are told with their result in one line. */
  toolCallsInALine: number
}

/** The place that the pieces have. */
export interface Room {
  tokens: number
  /** Tokens that a piece adds; Infinity where they are more than `limit`. */
  cost(piece: Piece, limit?: number): number
  /** The same of a bare text. */
  count(text: string, limit?: number): number
  /** The head and the tail of a text around a marker, at most so many tokens; '' where nothing fits. */
  cut(text: string, tokens: number): string
}

/** One way to tell a history. Adding one: a file in strategies/, and a word in strategies/index.ts. */
export interface Strategy {
  readonly name: string
  /** Lower is tried first. */
  readonly priority: number
  /** It is not tried with a smaller budget. */
  readonly minTokens: number
  /** It makes itself as small as the room, and is asked again with less where it still was too large. */
  readonly fitsItself: boolean
  /** What it tells stands for the whole conversation, of which it shows next to nothing. */
  readonly standsForAll?: true
  /** Undefined where it cannot tell this history in this room. Pure, deterministic; keeps the order. */
  tell(history: History, room: Room): Told | undefined
}

export function callsOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0)
}
