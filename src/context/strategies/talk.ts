import { asTalk } from '../render.ts'
import { callsOf, type Strategy } from '../strategy.ts'

/** Shows every text of person and agent whole, and one line for each tool call. */
export const talk: Strategy = {
  name: 'talk',
  priority: 2.5,
  minTokens: 0,
  fitsItself: false,
  showsTalk: true,
  tell({ said, answers }) {
    return {
      pieces: said.map((message) => ({ message: asTalk(message, answers) })),
      whole: said.length,
      shortened: 0,
      summarised: 0,
      toolResultsWhole: 0,
      toolResultsPruned: 0,
      toolCallsInALine: callsOf(said),
    }
  },
}
