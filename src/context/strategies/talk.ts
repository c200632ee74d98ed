import { asTalk, underOneHead } from '../rendering/as-talk.ts'
import { costOf, type History, type Room, type Strategy } from '../strategy.ts'
import { addResults, countShown, type ShownAt } from '../tool-results.ts'

/**
 * The most rounds that give unused room to more results. The rounds end when less than `UNUSED_RATIO` of the room is
 * unused.
 */
const MAX_ROUNDS = 4
const UNUSED_RATIO = 0.01
/** Tokens to try besides the unused ones. Results mostly take a line or two less than `addResults` assumes. */
const EXTRA_TOKENS = [48, 24, 0]

/**
 * Shows every text of person and agent whole, and the tool calls between them in a line. Room that is left goes to tool
 * results, the newest first.
 */
export const talk: Strategy = {
  name: 'talk',
  priority: 2.5,
  minTokens: 0,
  fitsItself: false,
  showsTalk: true,
  show(history, room) {
    const { live, answers } = history
    if (!hasRoomForTexts(history, room)) return undefined
    const said = new Set(history.said)
    let shown: ShownAt = new Map()
    for (const [index, message] of live.entries())
      if (said.has(message)) shown.set(index, { piece: { message: asTalk(message, answers) }, how: 'talk' })
    const resultOf = (one: ShownAt) => {
      const { entries: _, ...counts } = countShown(one, live)
      return { ...counts, pieces: underOneHead(counts.pieces), summarised: 0 }
    }
    let result = resultOf(shown)
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const unused = room.tokens - costOf(result.pieces, room)
      if (unused < room.tokens * UNUSED_RATIO) break
      const before = result
      for (const extra of EXTRA_TOKENS) {
        const more = new Map(shown)
        if (addResults(more, history, room, unused + extra) === 0) continue
        const next = resultOf(more)
        if (costOf(next.pieces, room) > room.tokens) continue
        shown = more
        result = next
        break
      }
      if (result === before) break
    }
    return result
  },
}

/**
 * Whether the messages without tool calls fit, because these are shown unchanged. This quick check finds most histories
 * that are too long.
 */
function hasRoomForTexts({ said }: History, room: Room): boolean {
  let left = room.tokens
  for (const message of said)
    if (message.tool_calls === undefined && left >= 0) left -= room.cost({ message }, left)
  return left >= 0
}
