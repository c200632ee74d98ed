import { receiptLines } from '../../../context/receipt.ts'
import { type Conversation, readConversation } from '../../../conversation/read.ts'
import { type ContextOptions, contextOf } from '../../../journeys/resuming/context.ts'
import { paste } from '../../../text/paste.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { type Arguments, numberIn, optionalText, textIn } from './arguments.ts'
import { DATA, MAX_CHARACTERS, ROOM } from './bounded.ts'
import { findMeant } from './meant.ts'

/** In tokens: about as much as fits into an answer. */
const DEFAULT_BUDGET = 5000

/** Returns the context of the one conversation that the query names. Throws `usage`, `not-found` or `ambiguous`. */
export async function contextAnswer(ws: Workspace, given: Arguments): Promise<string> {
  const query = textIn(given, 'query')
  const budget = numberIn(given, 'budget') ?? DEFAULT_BUDGET
  const { path, guess } = findMeant(ws, query)
  return [
    ...guess,
    await contextIn(ws, readConversation(ws, path), budget, optionalText(given, 'about')),
  ].join('\n')
}

/**
 * Returns the context of a conversation. If it would not fit into an answer, it is built with a smaller budget instead
 * of being cut.
 */
export async function contextIn(
  ws: Workspace,
  conversation: Conversation,
  budget: number = DEFAULT_BUDGET,
  about?: string,
): Promise<string> {
  const { text, receipt, built } = await fitting(ws, conversation, { budget, about })
  const whole = paste`cortext context ${conversation.path} --budget ${String(budget)}`
  const smaller =
    built < budget ? [`Built for ${built} tokens, so that it fits into an answer; in a shell: ${whole}`] : []
  return [DATA, ...smaller, ...receiptLines(receipt), '', text].join('\n')
}

/** Lowers the budget until the text fits, because some tokens have many characters. */
async function fitting(ws: Workspace, conversation: Conversation, { budget, about }: ContextOptions) {
  let built = Math.min(budget, MAX_CHARACTERS)
  for (;;) {
    const { text, receipt } = await contextOf(ws, conversation, { budget: built, about })
    if (text.length <= MAX_TEXT || built <= MIN_BUDGET) return { text, receipt, built }
    const part = (0.9 * MAX_TEXT) / text.length
    built = Math.max(MIN_BUDGET, Math.floor(Math.min(built, receipt.tokens) * part))
  }
}

/** In characters: receipt and notes come before the text. */
const MAX_TEXT = ROOM - 1000
/** In tokens. The budget is not lowered further: a context with this budget fits. */
const MIN_BUDGET = 150
