import type { Message } from '../session/schema.ts'
import type { Receipt } from './receipt.ts'
import type { Tokenizer } from './tokens.ts'

export interface ContextRequest {
  /** The conversation in reading order, events included. */
  messages: readonly Message[]
  /** Tokens that block and history may have together (the command body is outside). */
  budget: number
  tokenizer: Tokenizer
  /** The block, given its `History:` line. */
  block(history: string): string
  /** Workspace-relative path of messages.jsonl, where the whole history is. */
  record: string
}

export interface BuiltContext {
  /** Block, then history; '' where the budget is 0. */
  text: string
  receipt: Receipt
}

/** One way to tell the history: its pieces, and what of the record they hold. */
export interface Candidate {
  strategy: string
  pieces: string[]
  whole: number
  shortened: number
  toolResultsWhole: number
  toolCallsInALine: number
}

export function callsOf(said: readonly Message[]): number {
  return said.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0)
}

/** The receipt of a candidate, all but its tokens, which depend on the line that is made of it. */
export function receiptOf(
  request: ContextRequest,
  said: readonly Message[],
  { pieces: _, ...counts }: Candidate,
): Omit<Receipt, 'tokens'> {
  return {
    ...counts,
    budget: request.budget,
    messages: said.length,
    fromUser: said.filter((message) => message.role === 'user').length,
    leftOut: said.length - counts.whole - counts.shortened,
    record: request.record,
  }
}
