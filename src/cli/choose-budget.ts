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
 * Returns the budget in tokens for resume block and history: from the options, else from the settings, else from the
 * model's window (at most HANDOFF_BOUND). `client` is the client that gets the context; the default is the
 * conversation's last client. The record names only the model of the last client, so for another client the model
 * counts as unknown. Throws `usage`.
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
 * Parses an option that is a number of tokens. Throws `usage`, also for an empty text (from an unset shell variable).
 */
export function parseTokens(option: 'budget' | 'window', text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new CortextError('usage', `"${text}" is not a number of tokens`, { fix: `--${option} 20000` })
}

/** Returns the strategy that `--strategy` names, if it is given. Throws `usage` if no strategy has this name. */
export function strategyOf({ strategy }: { strategy?: string }): string | undefined {
  if (strategy === undefined || STRATEGY_NAMES.includes(strategy)) return strategy
  throw new CortextError('usage', `there is no strategy "${strategy}"`, {
    fix: `--strategy ${STRATEGY_NAMES.join(' | ')}`,
  })
}
