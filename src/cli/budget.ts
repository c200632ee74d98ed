import { STRATEGY_NAMES } from '../context/strategies/index.ts'
import { fullBudget, handoffBudget, windowOf } from '../context/tokens/budget.ts'
import type { Conversation } from '../conversation/read.ts'
import { CortextError } from '../errors.ts'
import type { Workspace } from '../workspace/open.ts'

interface BudgetOptions {
  budget?: string
  full?: boolean
}

/**
 * The budget of block and history in tokens: by the options, else by the settings, else by the window of the client's
 * model up to a bound. The record names only the model of the client that the conversation was in last, which is also
 * the default for `client`; for another client the model is unknown. Throws `usage`.
 */
export function budgetOf(
  ws: Workspace,
  { session }: Conversation,
  { budget, full }: BudgetOptions,
  client?: string,
): number {
  if (budget !== undefined && !full) return parseTokens('budget', budget)
  const lastClient = session.agent_sessions.at(-1)?.client ?? session.agent_config.client
  const model = client === undefined || client === lastClient ? session.agent_config.model : ''
  const window = windowOf(model, ws.config.windows)
  return full ? fullBudget(window) : (ws.config.resume.budget ?? handoffBudget(window))
}

/**
 * Parses an option that is a number of tokens. An empty text, as from an unset shell variable, does not count as 0.
 * Throws `usage`.
 */
export function parseTokens(option: 'budget' | 'window', text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new CortextError('usage', `"${text}" is not a number of tokens`, { fix: `--${option} 20000` })
}

/** Throws `usage` when no strategy has this name. */
export function strategyOf({ strategy }: { strategy?: string }): string | undefined {
  if (strategy === undefined || STRATEGY_NAMES.includes(strategy)) return strategy
  throw new CortextError('usage', `there is no strategy "${strategy}"`, {
    fix: `--strategy ${STRATEGY_NAMES.join(' | ')}`,
  })
}
