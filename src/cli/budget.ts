import { STRATEGY_NAMES } from '../context/strategies/index.ts'
import { fullBudget, windowOf } from '../context/tokens/budget.ts'
import { CortextError } from '../errors.ts'
import type { Conversation } from '../journeys/conversation/read.ts'
import type { Workspace } from '../workspace/open.ts'

interface BudgetOptions {
  budget?: string
  full?: boolean
}

/** Tokens that block and history of a conversation may have: as asked for, else as the settings say. Throws `usage`. */
export function budgetOf(ws: Workspace, { session }: Conversation, { budget, full }: BudgetOptions): number {
  if (full === true) return fullBudget(windowOf(session.agent_config.model, ws.config.windows))
  return budget === undefined ? ws.config.resume.budget : parseTokens('budget', budget)
}

/** The value of an option that is a number of tokens. Nothing is no number: a shell's empty variable is not 0. Throws `usage`. */
export function parseTokens(option: 'budget' | 'window', text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new CortextError('usage', `"${text}" is not a number of tokens`, { fix: `--${option} 20000` })
}

/** Throws `usage` for a name that no strategy has. */
export function strategyOf({ strategy }: { strategy?: string }): string | undefined {
  if (strategy === undefined || STRATEGY_NAMES.includes(strategy)) return strategy
  throw new CortextError('usage', `there is no strategy "${strategy}"`, {
    fix: `--strategy ${STRATEGY_NAMES.join(' | ')}`,
  })
}
