import type { History, Strategy, StrategyResult } from '../strategy.ts'

/** Shows everything as it was said. */
export const fullHistory: Strategy = {
  name: 'full-history',
  priority: 1,
  minTokens: 0,
  fitsItself: false,
  showsTalk: true,
  leavesRoom: true,
  show: everything,
}

export function everything({ live, said }: Pick<History, 'live' | 'said'>): StrategyResult {
  return {
    pieces: live.map((message) => ({ message })),
    whole: said.length,
    shortened: 0,
    summarised: 0,
    toolResultsWhole: live.filter(({ role }) => role === 'tool').length,
    toolResultsPruned: 0,
    toolCallsInALine: 0,
  }
}
