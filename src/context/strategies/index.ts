import type { Strategy } from '../strategy.ts'
import { fullHistory } from './full-history.ts'
import { minimalState } from './minimal-state.ts'
import { prunedTools } from './pruned-tools.ts'
import { recentPlusSummary } from './recent-plus-summary.ts'
import { talk } from './talk.ts'

/** All strategies, in the order in which they are tried. */
export const STRATEGIES: readonly Strategy[] = [
  fullHistory,
  prunedTools,
  talk,
  recentPlusSummary,
  minimalState,
].sort((a, b) => a.priority - b.priority)

export const STRATEGY_NAMES: readonly string[] = STRATEGIES.map(({ name }) => name)
