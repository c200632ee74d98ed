import { receiptLines } from '../../../context/receipt.ts'
import { o200k } from '../../../context/tokens/index.ts'
import { type Conversation, readConversation } from '../../../conversation/read.ts'
import { CortextError } from '../../../errors.ts'
import { called } from '../../../journeys/finding/find.ts'
import type { Listed } from '../../../journeys/finding/list.ts'
import { type ContextOptions, contextOf } from '../../../journeys/resuming/context.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { paste } from '../../../text/paste.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { type Arguments, numberIn, optionalText, textIn } from './arguments.ts'
import { DATA, MAX_CHARACTERS, ROOM } from './bounded.ts'
import { findMeant, findSeveral } from './meant.ts'

/** In tokens. About this much fits into an answer. */
const DEFAULT_BUDGET = 5000
/**
 * If words mean several conversations, at most this many share the budget, and each gets at least this many tokens. A
 * single conversation may get fewer.
 */
const SHARE = { conversations: 3, tokens: 800 }

/**
 * Returns the context of the conversation that the query names. If the query is words that mean several conversations,
 * the best of them (`findSeveral`) share the budget. The whole answer stays within the budget. Throws `usage`,
 * `not-found`, `ambiguous`, and what readConversation throws.
 */
export async function contextAnswer(ws: Workspace, given: Arguments): Promise<string> {
  const query = textIn(given, 'query')
  const budget = numberIn(given, 'budget') ?? DEFAULT_BUDGET
  const about = optionalText(given, 'about')
  const several = await findSeveral(ws, query, about ?? query)
  if (several !== undefined) {
    const count = Math.max(1, Math.min(SHARE.conversations, Math.floor(budget / SHARE.tokens)))
    const best = several.found.slice(0, count)
    return within(budget, (inside) => contextsIn(ws, { ...several, best }, inside, about ?? query))
  }
  const { path, guess } = findMeant(ws, query)
  return contextIn(ws, readConversation(ws, path), { budget, about, guess })
}

/**
 * Returns the context of a conversation, below the lines of `guess`. If the context does not fit into an answer, it is
 * built with a smaller budget instead of being cut.
 */
export function contextIn(
  ws: Workspace,
  conversation: Conversation,
  {
    budget = DEFAULT_BUDGET,
    about,
    guess = [],
  }: { budget?: number; about?: string | undefined; guess?: readonly string[] } = {},
): Promise<string> {
  return within(budget, async (inside) => {
    const { text, receipt, built } = await fitting(ws, conversation, { budget: inside, about }, MAX_TEXT)
    const whole = paste`cortext context ${conversation.path} --budget ${String(budget)}`
    const smaller =
      built < inside
        ? [`Built for ${built} tokens, so that it fits into an answer; in a shell: ${whole}`]
        : []
    return [...guess, DATA, ...smaller, ...receiptLines({ ...receipt, budget }), '', text].join('\n')
  })
}

/**
 * Builds an answer with a context of almost `budget` tokens, and a smaller one until the whole answer has no more. Throws
 * `usage` if that cannot be.
 */
async function within(budget: number, build: (inside: number) => Promise<string>): Promise<string> {
  const tokenizer = await o200k()
  for (let inside = Math.max(LEAST, budget - FRAME); ; ) {
    const answer = await build(inside)
    const over = tokenizer.count(answer) - budget
    if (over <= 0) return answer
    if (inside <= LEAST)
      throw new CortextError('usage', `a context does not fit into ${budget} tokens`, {
        fix: `"budget": ${2 * (budget + over)}`,
      })
    inside = Math.max(LEAST, inside - over)
  }
}

/** In tokens: what frames a context takes about so many. */
const FRAME = 100
/** In tokens. A context with less says nothing. */
const LEAST = 40

/** Returns the contexts of the best conversations, each below a line with its name, title and date. */
async function contextsIn(
  ws: Workspace,
  { best, guess }: { best: readonly Listed[]; guess: string },
  budget: number,
  about: string,
): Promise<string> {
  const share = { budget: Math.floor(budget / best.length), about }
  const maxText = Math.floor(MAX_TEXT / best.length) - MAX_HEAD
  const parts: string[] = []
  for (const one of best) {
    const text = await textOf(ws, one.path, share, maxText)
    parts.push('', `── ${safeLine(called(one))}`, text)
  }
  return [
    DATA,
    `${guess}. Here: the best ${best.length}, at most ${share.budget} tokens each. More of one: get_context with its id.`,
    ...parts,
  ].join('\n')
}

/**
 * Returns the context of a conversation. If the conversation cannot be read, returns the error's message, so that the
 * answer still contains the other conversations.
 */
async function textOf(ws: Workspace, path: string, share: ContextOptions, maxText: number): Promise<string> {
  try {
    return (await fitting(ws, readConversation(ws, path), share, maxText)).text
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return safeLine(error.message)
  }
}

/** Lowers the budget until the text has at most `maxText` characters, because some tokens have many characters. */
async function fitting(
  ws: Workspace,
  conversation: Conversation,
  { budget, about }: ContextOptions,
  maxText: number,
) {
  let built = Math.min(budget, MAX_CHARACTERS)
  const least = Math.min(budget, MIN_BUDGET)
  for (;;) {
    const { text, receipt } = await contextOf(ws, conversation, { budget: built, about, dates: true })
    if (text.length <= maxText || built <= least) return { text, receipt, built }
    const part = (0.9 * maxText) / text.length
    built = Math.max(least, Math.floor(Math.min(built, receipt.tokens) * part))
  }
}

/** In characters. The rest of ROOM is for the receipt and the notes before the text. */
const MAX_TEXT = ROOM - 1000
/** In characters. If there are several conversations, a line of at most this length comes before each context. */
const MAX_HEAD = 300
/**
 * In tokens. The budget is not lowered further, because a context with this budget fits into an answer. It nearly
 * always fits into its share of an answer too.
 */
const MIN_BUDGET = 150
