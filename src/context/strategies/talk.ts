import { asTalk, underOneHead } from '../as-talk.ts'
import { costOf, type History, type Room, type Strategy } from '../strategy.ts'
import { addResults, type ShownAt, toldOf } from '../tool-results.ts'

/** Rounds that give unused room to more results; a smaller part of the room stays unused. */
const ROUNDS = 4
const UNUSED_RATIO = 0.01
/** Results mostly take a line or two less than is reserved for them. */
const EXTRA = [48, 24, 0]

/**
 * Shows every text of person and agent whole, and the tool calls between them in a line. Room that is left goes to what
 * the tools answered, the newest first.
 */
export const talk: Strategy = {
  name: 'talk',
  priority: 2.5,
  minTokens: 0,
  fitsItself: false,
  showsTalk: true,
  tell(history, room) {
    const { live, answers } = history
    if (!hasRoomForTexts(history, room)) return undefined
    const said = new Set(history.said)
    let shown: ShownAt = new Map()
    for (const [place, message] of live.entries())
      if (said.has(message)) shown.set(place, { piece: { message: asTalk(message, answers) }, how: 'talk' })
    const tell = (one: ShownAt) => {
      const { entries: _, ...told } = toldOf(one, live)
      return { ...told, pieces: underOneHead(told.pieces), summarised: 0 }
    }
    let told = tell(shown)
    for (let round = 0; round < ROUNDS; round += 1) {
      const unused = room.tokens - costOf(told.pieces, room)
      if (unused < room.tokens * UNUSED_RATIO) break
      const before = told
      for (const extra of EXTRA) {
        const more = new Map(shown)
        if (addResults(more, history, room, unused + extra) === 0) continue
        const next = tell(more)
        if (costOf(next.pieces, room) > room.tokens) continue
        shown = more
        told = next
        break
      }
      if (told === before) break
    }
    return told
  },
}

/** Counts only messages without tool calls, which are shown unchanged: these alone make most too long histories too long. */
function hasRoomForTexts({ said }: History, room: Room): boolean {
  let left = room.tokens
  for (const message of said)
    if (message.tool_calls === undefined && left >= 0) left -= room.cost({ message }, left)
  return left >= 0
}
