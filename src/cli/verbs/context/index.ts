import { type Receipt, receiptLines } from '../../../context/receipt.ts'
import { readConversation } from '../../../conversation/read.ts'
import type { Environment } from '../../../io/environment.ts'
import { findExact } from '../../../journeys/finding/find.ts'
import { idAndName } from '../../../journeys/finding/list.ts'
import { brokenSummaries, compareContexts, contextOf } from '../../../journeys/resuming/context.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { budgetOf, strategyOf } from '../../choose-budget.ts'
import { look } from '../../first-step.ts'
import { checkNamed, which } from '../../named-conversation.ts'
import { note, say, sayJson } from '../../print.ts'
import { contextOfKey, type KeyedContextOptions } from './by-key.ts'
import { askForSummary } from './summarise.ts'

interface ContextOptions extends KeyedContextOptions {
  full?: boolean
  compare?: boolean
  about?: string
  summarizeWith?: string
  json?: boolean
}

/** Prints the resume block and history of a handoff on stdout, and the receipt on stderr. */
export async function contextVerb(
  environment: Environment,
  query: string | undefined,
  options: ContextOptions,
): Promise<void> {
  checkNamed('context', query, options.key)
  if (query === undefined) return contextOfKey(environment, options.key!, options)
  const strategy = strategyOf(options)
  const ws = openWorkspace(environment)
  await look(ws)
  // A summary costs tokens and is kept in the conversation, so the query must name the conversation exactly.
  const { path } = options.summarizeWith === undefined ? which(ws, query) : findExact(ws, query)
  const conversation = readConversation(ws, path)
  const wish = { budget: budgetOf(ws, conversation, options), strategy, about: options.about }
  note(brokenSummaries(conversation).map((file) => `${file} cannot be read and is not used.`))
  const client = options.summarizeWith
  const summary = client === undefined ? {} : { summary: await askForSummary(ws, conversation, client, wish) }
  if (options.compare) {
    const strategies = await compareContexts(ws, conversation, wish)
    if (options.json)
      return sayJson({ ...idAndName(ws, path), path, budget: wish.budget, ...summary, strategies })
    return say(comparison(strategies, wish.budget))
  }
  const { text, receipt } = await contextOf(ws, conversation, wish)
  if (options.json) return sayJson({ ...idAndName(ws, path), path, ...summary, receipt, text })
  note(receiptLines(receipt))
  say(text)
}

const COLUMNS = ['strategy', 'tokens', 'whole', 'shortened', 'summarised', 'left out'] as const

function comparison(
  strategies: readonly { strategy: string; receipt: Receipt | undefined }[],
  budget: number,
): string[] {
  const rows = strategies.map(({ strategy, receipt: one }) =>
    one === undefined
      ? [strategy, 'does not fit']
      : [strategy, one.tokens, one.whole, one.shortened, one.summarised, one.leftOut].map(String),
  )
  const all = [[...COLUMNS], ...rows]
  const widths = COLUMNS.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
  return [`Messages in a context of at most ${budget} tokens (o200k):`, ...all.map(line)]
}
