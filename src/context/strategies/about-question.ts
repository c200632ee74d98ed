import { isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { shortLine } from '../../text/line.ts'
import { addTalk, type Filling } from '../add-talk.ts'
import { asTalk, underOneHead } from '../as-talk.ts'
import { LEFT_OUT_NOTE, leftOutNote, MARK, withMarks } from '../gaps.ts'
import { cutMessage, cutTurn } from '../newest-turn.ts'
import { askedFirst, taskOf } from '../state/index.ts'
import { costOf, type History, type Piece, type Room, type Told } from '../strategy.ts'
import { type ShownAt, toldOf } from '../tool-results.ts'

/** The part of the room for what was asked and answered last. */
const NEWEST_RATIO = 0.15
/** A message that answers the question is cut from this part of the room on. */
const LONG_RATIO = 0.25
/** The part of the room for the messages themselves; the rest goes to those beside them. */
const HITS_RATIO = 0.8
const TASK = 400
/** Less room than this takes no message. */
const MIN = 24

/**
 * Shows what was said about a question: the messages that answer it best, each with the ones right before and after it,
 * then the newest talk; and before all of it the question and the task. Undefined when nothing was said about it.
 */
export function aboutQuestion(history: History, room: Room): Told | undefined {
  const { live, about } = history
  if (about === undefined) return undefined
  const places = live.flatMap((message, place) => (isTalk(message) ? [place] : []))
  const hits = bestFirst(about.scores, nearestTalk(live))
  if (hits.length === 0) return undefined
  const note: Piece = { note: headOf(about.question, history) }
  const shown: ShownAt = new Map()
  const filling: Filling = { shown, tokens: room.cost(note) + LEFT_OUT_NOTE }
  for (const { message, piece, whole } of cutTurn(history, room, Math.floor(room.tokens * NEWEST_RATIO))) {
    shown.set(live.indexOf(message), { piece, how: whole ? 'talk' : 'cut' })
    filling.tokens += room.cost(piece) + room.cost(MARK)
  }
  const most = filling.tokens + (room.tokens - filling.tokens) * HITS_RATIO
  for (const at of hits) if (filling.tokens < most) add(filling, history, room, places[at])
  for (const at of hits)
    for (const one of [at - 1, at + 1])
      if (room.tokens - filling.tokens >= MIN) add(filling, history, room, places[one])
  addTalk(filling, history, room, { most: room.tokens })
  let told = tell(note, shown, history, places)
  // Calls in one line take less than they did one by one.
  for (let round = 0; round < ROUNDS; round += 1) {
    const [before, unused] = [shown.size, room.tokens - costOf(told.pieces, room)]
    addTalk(filling, history, room, { most: filling.tokens + unused })
    if (shown.size === before) break
    told = tell(note, shown, history, places)
  }
  return told
}

const ROUNDS = 3

function tell(note: Piece, shown: ShownAt, { live, said }: History, places: readonly number[]): Told {
  const { entries, ...counts } = toldOf(shown, live)
  const others = places.filter((place) => !shown.has(place))
  const first = askedFirst(said)
  const told = others.filter((place) => live[place] === first).length
  return {
    ...counts,
    pieces: [note, ...leftOutNote(others.length - told), ...underOneHead(withMarks(entries, others))],
    summarised: told,
  }
}

/** Share of the neighbours' scores that a message gets: an answer seldom repeats the words of its question. */
const AROUND = [
  { from: -1, share: 0.4 },
  { from: -2, share: 0.2 },
  { from: 1, share: 0.2 },
]

/** Places among the talk, those that answer the question best first; of equal ones the newest. */
function bestFirst(scores: readonly number[], talkAt: readonly number[]): number[] {
  const own: number[] = []
  for (const [place, at] of talkAt.entries()) if (at >= 0) own[at] = Math.max(own[at] ?? 0, scores[place]!)
  return own
    .map((score, at) => ({
      at,
      score: AROUND.reduce((sum, { from, share }) => sum + share * (own[at + from] ?? 0), score),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .map(({ at }) => at)
}

/**
 * Place of each message among the talk. The line of a call reports its result, so the place of a result is that of the
 * talk before it.
 */
function nearestTalk(live: readonly Message[]): number[] {
  let before = -1
  return live.map((message) => {
    if (isTalk(message)) before += 1
    return before
  })
}

function add(filling: Filling, { live, answers }: History, room: Room, place?: number) {
  if (place === undefined || filling.shown.has(place)) return
  const message: Message = asTalk(live[place]!, answers)
  const left = room.tokens - filling.tokens - room.cost(MARK)
  const most = Math.min(left, Math.floor(room.tokens * LONG_RATIO))
  const fits = room.cost({ message }, Math.max(most, 0)) <= most
  const piece = fits ? { message } : most < MIN ? undefined : cutMessage(message, room, most)
  if (piece === undefined) return
  filling.tokens += room.cost(piece) + room.cost(MARK)
  filling.shown.set(place, { piece, how: fits ? 'talk' : 'cut' })
}

function headOf(question: string, { said, task }: History): string {
  const asked = shortLine(task ?? taskOf(said), TASK)
  return [
    '## What was said about a question',
    '',
    `Question: ${shortLine(question, TASK)}`,
    `Task: ${asked || '(none was stated)'}`,
  ].join('\n')
}
