import type { Strategy } from '../strategy.ts'
import { cutResult, pruned } from '../tool-results.ts'
import { everything } from './full-history.ts'

/** Number of messages at the end that stay as they are in the record. Tool results count as messages. */
export const RECENT_MESSAGE_COUNT = 6

/**
 * Shows everything that was said. Tool results are shortened, except in the last messages. Room that is left goes to
 * whole results, the newest first.
 */
export const prunedTools: Strategy = {
  name: 'pruned-tools',
  priority: 2,
  minTokens: 2000,
  fitsItself: false,
  showsTalk: true,
  show(history, room) {
    const { live, answers } = history
    const recent = live.length - RECENT_MESSAGE_COUNT
    const messages = live.map((message, index) => (index < recent ? pruned(message, answers) : message))
    let left = room.tokens
    for (const message of messages) if (left >= 0) left -= room.cost({ message }, left)
    for (let index = recent - 1; index >= 0 && left > 0; index -= 1) {
      const [whole, shorter] = [live[index]!, messages[index]!]
      if (whole === shorter) continue
      const more =
        room.cost({ message: whole }, left + room.cost({ message: shorter })) -
        room.cost({ message: shorter })
      if (more > left) continue
      left -= more
      messages[index] = whole
    }
    const longer = messages.findLastIndex((message, index) => message !== live[index])
    if (longer !== -1 && left > 0) {
      const maxTokens = left + room.cost({ message: messages[longer]! })
      messages[longer] = cutResult(live[longer]!, answers, room, maxTokens) ?? messages[longer]!
    }
    const changed = messages.filter((message, index) => message !== live[index]).length
    const all = everything(history)
    return {
      ...all,
      pieces: messages.map((message) => ({ message })),
      toolResultsWhole: all.toolResultsWhole - changed,
      toolResultsPruned: changed,
    }
  },
}
