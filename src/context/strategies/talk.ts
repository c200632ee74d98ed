import { asTalk } from '../render.ts'
import type { Strategy } from '../strategy.ts'
import { addResults, type ShownAt, toldOf } from '../tool-results.ts'

/**
 * Shows every text of person and agent whole, and one line for each tool call. Room that is left goes to what the tools
 * answered, the newest first.
 */
export const talk: Strategy = {
  name: 'talk',
  priority: 2.5,
  minTokens: 0,
  fitsItself: false,
  showsTalk: true,
  tell(history, room) {
    const { live, answers } = history
    const said = new Set(history.said)
    const shown: ShownAt = new Map()
    let left = room.tokens
    for (const [place, message] of live.entries()) {
      if (!said.has(message)) continue
      const piece = { message: asTalk(message, answers) }
      if (left >= 0) left -= room.cost(piece, left)
      shown.set(place, { piece, how: 'talk' })
    }
    addResults(shown, history, room, left)
    const { entries: _, ...told } = toldOf(shown, live)
    return { ...told, summarised: 0 }
  },
}
