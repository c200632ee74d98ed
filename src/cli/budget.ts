import { fullBudget, windowOf } from '../context/budget.ts'
import { STRATEGY_NAMES } from '../context/strategies/index.ts'
import { CortextError } from '../errors.ts'
import { readConversation } from '../journeys/conversation.ts'
import type { Workspace } from '../journeys/open.ts'

interface BudgetOptions {
  budget?: string
  full?: boolean
}

/** Tokens that block and history may have: as asked for, else as the settings say. Throws `usage`. */
export function budgetOf(ws: Workspace, path: string, { budget, full }: BudgetOptions): number {
  if (full === true)
    return fullBudget(windowOf(readConversation(ws, path).session.agent_config.model, ws.config.windows))
  if (budget === undefined) return ws.config.resume.budget
  if (!/^\d{1,9}$/.test(budget))
    throw new CortextError('usage', `"${budget}" is not a number of tokens`, { fix: '--budget 20000' })
  return Number(budget)
}

/** Throws `usage` for a name that no strategy has. */
export function strategyOf({ strategy }: { strategy?: string }): string | undefined {
  if (strategy === undefined || STRATEGY_NAMES.includes(strategy)) return strategy
  throw new CortextError('usage', `there is no strategy "${strategy}"`, {
    fix: `--strategy ${STRATEGY_NAMES.join(' | ')}`,
  })
}
