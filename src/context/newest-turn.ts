import { isPrompt } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { asTalk } from './rendering/as-talk.ts'
import { callsOf, type History, type Piece, type Room, type StrategyResult } from './strategy.ts'

/**
 * Shows the person's last prompt and the very last message. A message that does not fit is cut in its middle. It is the
 * last resort, for a room of any size.
 */
export function newestTurn(history: History, room: Room): StrategyResult {
  const shown = cutTurn(history, room, room.tokens)
  const whole = shown.filter((one) => one.whole).map(({ message }) => message)
  return {
    pieces: shown.map(({ piece }) => piece),
    whole: whole.length,
    shortened: shown.length - whole.length,
    summarised: 0,
    toolResultsWhole: 0,
    toolResultsPruned: 0,
    toolCallsInALine: callsOf(whole),
  }
}

interface Shown {
  message: Message
  piece: Piece
  whole: boolean
}

/**
 * Returns the person's last prompt and the last message, in at most `maxTokens` tokens. Each message may have half of
 * the tokens; what the smaller message does not need goes to the larger one.
 */
export function cutTurn({ said, answers }: History, room: Room, maxTokens: number): Shown[] {
  const newest = newestOf(said).map((message) => {
    const piece = { message: asTalk(message, answers) }
    return { message, piece, cost: room.cost(piece, room.tokens) }
  })
  const shown: Shown[] = []
  let left = Math.floor(maxTokens)
  for (const [index, one] of newest.toSorted((a, b) => a.cost - b.cost).entries()) {
    const share = Math.floor(left / (newest.length - index))
    const whole = one.cost <= share
    const piece = whole ? one.piece : cutMessage(one.piece.message, room, share)
    if (piece === undefined) continue
    shown.push({ message: one.message, piece, whole })
    left -= room.cost(piece)
  }
  return shown.sort((a, b) => said.indexOf(a.message) - said.indexOf(b.message))
}

/** Returns the message with as much of its text as fits; undefined when no text fits. */
export function cutMessage(message: Message, room: Room, maxTokens: number): Piece | undefined {
  const text = typeof message.content === 'string' ? message.content : textIn(message)
  const frame = room.cost({ message: { ...message, content: '' } })
  // The message may have slightly more tokens than its text and its frame, counted one by one.
  for (let limit = maxTokens - frame; limit > 0; limit = Math.floor(limit * 0.9)) {
    const content = room.cut(text, limit)
    if (content === '') return undefined
    const piece: Piece = { message: { ...message, content }, cut: true }
    if (room.cost(piece) <= maxTokens) return piece
  }
  return undefined
}

function textIn({ content }: Message): string {
  return typeof content === 'string'
    ? content
    : content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [`[${part.type}]`])).join('\n')
}

function newestOf(said: readonly Message[]): Message[] {
  const asked = said.findLast(isPrompt)
  const last = said.at(-1)
  return [asked, last].filter(
    (one, index, all): one is Message => one !== undefined && all.indexOf(one) === index,
  )
}
