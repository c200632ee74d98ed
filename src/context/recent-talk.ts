import type { Message } from '../session/schema.ts'
import { type BuiltContext, type Candidate, type ContextRequest, callsOf, receiptOf } from './candidate.ts'
import { cutToTokens } from './cut.ts'
import { historyLine } from './receipt.ts'
import { type Answers, renderTalk } from './render.ts'

/** Under this many tokens there is room for a cut of the newest turn only. */
const TIGHT = 400
/** What joins two pieces. */
const SEAM = 1

/**
 * The block, the first task and the newest turn (its question and its last answer), each cut where it is too long,
 * and as much of the talk before the last answer as fits. The newest turn goes before, the first task has at least
 * a quarter of the room. What is not there is named where it is missing. Under 400 tokens only the newest turn.
 */
export function recentTalk(request: ContextRequest, said: Message[], answers: Answers): BuiltContext {
  const { budget, tokenizer } = request
  const pieces = countedPieces(request, said, answers)
  // Pieces that are joined may count more than their sum; then the same is tried with as much less room.
  for (let room = budget; room > 0; ) {
    const built = attempt(request, said, pieces, room)
    const tokens = tokenizer.count(built.text)
    if (tokens <= budget) return { text: built.text, receipt: { ...built.receipt, tokens } }
    room -= tokens - budget
  }
  const nothing = candidate(said, new Map(), [])
  return { text: '', receipt: { ...receiptOf(request, said, nothing), tokens: 0 } }
}

interface Pieces {
  text(index: number): string
  /** Tokens of the piece; Infinity where they alone exceed the budget. */
  tokens(index: number): number
}

/** Each piece is rendered and counted when it is first asked for, and once. */
function countedPieces({ budget, tokenizer }: ContextRequest, said: Message[], answers: Answers): Pieces {
  const texts = new Map<number, string>()
  const counts = new Map<number, number>()
  const text = (index: number): string => once(texts, index, () => renderTalk(said[index]!, answers))
  return { text, tokens: (index) => once(counts, index, () => tokenizer.count(text(index), budget)) }
}

function once<T>(known: Map<number, T>, index: number, make: () => T): T {
  const value = known.get(index) ?? make()
  known.set(index, value)
  return value
}

/** What is shown of a message: all of it, or a cut. */
interface Shown {
  text: string
  whole: boolean
}

function attempt(request: ContextRequest, said: Message[], pieces: Pieces, room: number) {
  const { tokenizer, budget } = request
  const tight = budget < TIGHT
  const block = (history: string): string =>
    tight ? '' : cutToTokens(request.block(history), Math.floor(room / 2), tokenizer)
  const shown = new Map<number, Shown>()
  /** Shows a message in at most so many tokens; gives those that it took. */
  const show = (index: number, most: number): number => {
    const whole = pieces.tokens(index) <= most - SEAM
    const text = whole ? pieces.text(index) : cutToTokens(pieces.text(index), most - SEAM, tokenizer)
    if (text === '') return 0
    shown.set(index, { text, whole })
    return SEAM + (whole ? pieces.tokens(index) : tokenizer.count(text))
  }
  const newest = newestTurn(said).sort((a, b) => pieces.tokens(a) - pieces.tokens(b))
  const showNewest = (most: number): number =>
    newest.reduce(
      (left, index, place) => left - show(index, Math.floor(left / (newest.length - place))),
      most,
    )
  if (tight || said.length === 0) showNewest(room)
  else {
    const gaps = 3 * (tokenizer.count(gap(said.length)) + SEAM)
    const left = room - tokenizer.count(block(longestLine(request, said))) - gaps
    const task = firstTask(said)
    const reserved = newest.includes(task) ? 0 : Math.min(pieces.tokens(task) + SEAM, Math.floor(left / 4))
    const remaining = fill(said, shown, pieces, showNewest(left - reserved), task)
    if (!shown.has(task)) show(task, remaining + reserved)
  }
  const result = candidate(said, shown, inOrder(said, shown, tight))
  const receipt = receiptOf(request, said, { ...result, strategy: tight ? 'newest-turn' : 'recent-talk' })
  const text = [block(historyLine(receipt)), ...result.pieces].filter((piece) => piece !== '').join('\n\n')
  return { text, receipt }
}

function longestLine(request: ContextRequest, said: Message[]): string {
  const most = { whole: said.length, shortened: 3, leftOut: said.length, toolCallsInALine: callsOf(said) }
  return historyLine({ ...receiptOf(request, said, candidate(said, new Map(), [])), ...most })
}

function firstTask(said: readonly Message[]): number {
  const asked = said.findIndex(({ role }) => role === 'user')
  return Math.max(asked, 0)
}

/** What the person said last, and what was said last of all. */
function newestTurn(said: readonly Message[]): number[] {
  const asked = said.findLastIndex(({ role }) => role === 'user')
  return [...new Set([asked, said.length - 1])].filter((index) => index >= 0)
}

/** Adds the newest messages that still fit, without a gap among them; gives the tokens that are left. */
function fill(
  said: readonly Message[],
  shown: Map<number, Shown>,
  pieces: Pieces,
  room: number,
  task: number,
): number {
  let left = room
  for (let index = said.length - 1; index >= 0; index -= 1) {
    if (shown.has(index) || index === task) continue
    if (pieces.tokens(index) + SEAM > left) break
    left -= pieces.tokens(index) + SEAM
    shown.set(index, { text: pieces.text(index), whole: true })
  }
  return left
}

function inOrder(said: readonly Message[], shown: ReadonlyMap<number, Shown>, tight: boolean): string[] {
  const pieces: string[] = []
  let next = 0
  for (const [index, { text }] of [...shown].sort(([a], [b]) => a - b)) {
    if (index > next && !tight) pieces.push(gap(index - next))
    pieces.push(text)
    next = index + 1
  }
  if (next < said.length && !tight) pieces.push(gap(said.length - next))
  return pieces
}

function gap(messages: number): string {
  return messages === 1 ? '[… 1 message is left out here …]' : `[… ${messages} messages are left out here …]`
}

function candidate(said: readonly Message[], shown: ReadonlyMap<number, Shown>, pieces: string[]): Candidate {
  const whole = said.filter((_, index) => shown.get(index)?.whole === true)
  return {
    strategy: 'newest-turn',
    pieces,
    whole: whole.length,
    shortened: shown.size - whole.length,
    toolResultsWhole: 0,
    toolCallsInALine: callsOf(whole),
  }
}
