import { isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { shortLine } from '../../text/line.ts'
import { addTalk, type Filling } from '../add-talk.ts'
import { GAP_MARK, LEFT_OUT_NOTE_TOKENS, leftOutNote, withMarks } from '../gaps.ts'
import { cutMessage, cutTurn } from '../newest-turn.ts'
import { asTalk, underOneHead } from '../rendering/as-talk.ts'
import { askedFirst, taskOf } from '../state/index.ts'
import { costOf, type History, type Piece, type Room, type StrategyResult } from '../strategy.ts'
import { countShown, type ShownAt } from '../tool-results.ts'

/** The newest turn gets at most this part of the room. */
const NEWEST_RATIO = 0.15
/** A message that takes more than this part of the room is cut. */
const LONG_RATIO = 0.25
/**
 * The messages that answer the question get this part of the remaining room. Their neighbours and the newest talk get
 * the rest.
 */
const HITS_RATIO = 0.8
const TASK_LENGTH = 400
/** No message is cut to fit, and no neighbour is added, when fewer tokens than this are left. */
const MIN_TOKENS_LEFT = 24

/**
 * Shows what was said about a question. A note with the question and the task comes first. Then come, in the order of
 * the talk, the messages that answer the question best, their neighbours, and the newest messages. Undefined when
 * nothing was said about the question.
 */
export function aboutQuestion(history: History, room: Room): StrategyResult | undefined {
  const { live, about } = history
  if (about === undefined) return undefined
  const indexes = live.flatMap((message, index) => (isTalk(message) ? [index] : []))
  const hits = bestFirst(about.scores, nearestTalk(live))
  if (hits.length === 0) return undefined
  const note: Piece = { note: headOf(about.question, history) }
  const shown: ShownAt = new Map()
  const filling: Filling = { shown, tokens: room.cost(note) + LEFT_OUT_NOTE_TOKENS }
  for (const { message, piece, whole } of cutTurn(history, room, Math.floor(room.tokens * NEWEST_RATIO))) {
    shown.set(live.indexOf(message), { piece, how: whole ? 'talk' : 'cut' })
    filling.tokens += room.cost(piece) + room.cost(GAP_MARK)
  }
  const maxTokens = filling.tokens + (room.tokens - filling.tokens) * HITS_RATIO
  for (const talkIndex of hits)
    if (filling.tokens < maxTokens) add(filling, history, room, indexes[talkIndex])
  for (const talkIndex of hits)
    for (const neighbour of [talkIndex - 1, talkIndex + 1])
      if (room.tokens - filling.tokens >= MIN_TOKENS_LEFT) add(filling, history, room, indexes[neighbour])
  addTalk(filling, history, room, { maxTokens: room.tokens })
  let result = resultWith(note, shown, history, indexes)
  // Neighbouring messages were counted one by one. They take fewer tokens when their tool calls are shown in one line,
  // so more talk may fit.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [before, unused] = [shown.size, room.tokens - costOf(result.pieces, room)]
    addTalk(filling, history, room, { maxTokens: filling.tokens + unused })
    if (shown.size === before) break
    result = resultWith(note, shown, history, indexes)
  }
  return result
}

const MAX_ROUNDS = 3

function resultWith(
  note: Piece,
  shown: ShownAt,
  { live, said }: History,
  indexes: readonly number[],
): StrategyResult {
  const { entries, ...counts } = countShown(shown, live)
  const others = indexes.filter((index) => !shown.has(index))
  const first = askedFirst(said)
  const summarised = others.filter((index) => live[index] === first).length
  return {
    ...counts,
    pieces: [note, ...leftOutNote(others.length - summarised), ...underOneHead(withMarks(entries, others))],
    summarised,
  }
}

/**
 * A message also gets these shares of its neighbours' scores, because an answer seldom repeats the words of its
 * question.
 */
const NEIGHBOURS = [
  { from: -1, share: 0.4 },
  { from: -2, share: 0.2 },
  { from: 1, share: 0.2 },
]

/**
 * Returns the indexes, among the talk, of the answers to the question. The best answer comes first; of two equally good
 * ones, the newer.
 */
function bestFirst(scores: readonly number[], talkIndexes: readonly number[]): number[] {
  const own: number[] = []
  for (const [index, talkIndex] of talkIndexes.entries())
    if (talkIndex >= 0) own[talkIndex] = Math.max(own[talkIndex] ?? 0, scores[index]!)
  return own
    .map((score, talkIndex) => ({
      talkIndex,
      score: NEIGHBOURS.reduce((sum, { from, share }) => sum + share * (own[talkIndex + from] ?? 0), score),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.talkIndex - a.talkIndex)
    .map(({ talkIndex }) => talkIndex)
}

/**
 * Returns, for each message of the live path, its index among the talk. A tool result gets the index of the talk before
 * it, because the line of a call reports the result.
 */
function nearestTalk(live: readonly Message[]): number[] {
  let before = -1
  return live.map((message) => {
    if (isTalk(message)) before += 1
    return before
  })
}

function add(filling: Filling, { live, answers }: History, room: Room, index?: number) {
  if (index === undefined || filling.shown.has(index)) return
  const message: Message = asTalk(live[index]!, answers)
  const left = room.tokens - filling.tokens - room.cost(GAP_MARK)
  const maxTokens = Math.min(left, Math.floor(room.tokens * LONG_RATIO))
  const fits = room.cost({ message }, Math.max(maxTokens, 0)) <= maxTokens
  const piece = fits
    ? { message }
    : maxTokens < MIN_TOKENS_LEFT
      ? undefined
      : cutMessage(message, room, maxTokens)
  if (piece === undefined) return
  filling.tokens += room.cost(piece) + room.cost(GAP_MARK)
  filling.shown.set(index, { piece, how: fits ? 'talk' : 'cut' })
}

function headOf(question: string, { said, task }: History): string {
  const asked = shortLine(task ?? taskOf(said), TASK_LENGTH)
  return [
    '## What was said about a question',
    '',
    `Question: ${shortLine(question, TASK_LENGTH)}`,
    `Task: ${asked || '(none was stated)'}`,
  ].join('\n')
}
