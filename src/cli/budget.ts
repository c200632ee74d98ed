import { STRATEGY_NAMES } from '../context/strategies/index.ts'
import { fullBudget, windowOf } from '../context/tokens/budget.ts'
import { CortextError } from '../errors.ts'
import type { Conversation } from '../journeys/conversation/read.ts'
import type { Workspace } from '../workspace/open.ts'

interface BudgetOptions {
  budget?: string
  full?: boolean
}

/** The tokens that block and history may have: as the options ask, else as the settings say. Throws `usage`. */
export function budgetOf(ws: Workspace, { session }: Conversation, { budget, full }: BudgetOptions): number {
  if (full === true) return fullBudget(windowOf(session.agent_config.model, ws.config.windows))
  return budget === undefined ? ws.config.resume.budget : parseTokens('budget', budget)
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
