import { receiptLines } from '../../../context/receipt.ts'
import { type Conversation, readConversation } from '../../../conversation/read.ts'
import { type ContextWish, contextOf } from '../../../journeys/resuming/context.ts'
import { paste } from '../../../text/paste.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { type Arguments, numberIn, optionalText, textIn } from './arguments.ts'
import { DATA, MAX_CHARACTERS, ROOM } from './bounded.ts'
import { meant } from './meant.ts'

/** In tokens: about what an answer can hold. */
const BUDGET = 5000

/** What a resume would give of the one conversation that is meant. Throws `usage`, `not-found` or `ambiguous`. */
export async function contextAnswer(ws: Workspace, given: Arguments): Promise<string> {
  const query = textIn(given, 'query')
  const budget = numberIn(given, 'budget') ?? BUDGET
  const { path, guess } = meant(ws, query)
  return [
    ...guess,
    await contextIn(ws, readConversation(ws, path), budget, optionalText(given, 'about')),
  ].join('\n')
}

/** The context of a conversation, built smaller where it would be too long for an answer, never cut in the middle. */
export async function contextIn(
  ws: Workspace,
  conversation: Conversation,
  budget: number = BUDGET,
  about?: string,
): Promise<string> {
  const { text, receipt, built } = await fitting(ws, conversation, { budget, about })
  const whole = paste`cortext context ${conversation.path} --budget ${String(budget)}`
  const smaller =
    built < budget ? [`Built for ${built} tokens, since an answer is no longer; in a shell: ${whole}`] : []
  return [DATA, ...smaller, ...receiptLines(receipt), '', text].join('\n')
}

/** Some tokens have many characters, so a budget says little of how long the text is. */
async function fitting(ws: Workspace, conversation: Conversation, { budget, about }: ContextWish) {
  let built = Math.min(budget, MAX_CHARACTERS)
  for (;;) {
    const { text, receipt } = await contextOf(ws, conversation, { budget: built, about })
    if (text.length <= MAX_TEXT || built <= SMALLEST) return { text, receipt, built }
    const part = (0.9 * MAX_TEXT) / text.length
    built = Math.max(SMALLEST, Math.floor(Math.min(built, receipt.tokens) * part))
  }
}

/** In characters: receipt and notes stand before the text. */
const MAX_TEXT = ROOM - 1000
/** In tokens. Such a text always fits. */
const SMALLEST = 150
