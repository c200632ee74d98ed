import { isPrompt, isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { addRarest, addTalk, type Filling, lastAnswers } from '../add-talk.ts'
import { asTalk, underOneHead } from '../as-talk.ts'
import { LEFT_OUT_NOTE, leftOutNote, MARK, withMarks } from '../gaps.ts'
import { cutMessage, cutTurn } from '../newest-turn.ts'
import { askedFirst } from '../state/index.ts'
import { costOf, type History, type Piece, type Room, type Strategy, type Told } from '../strategy.ts'
import { addResults, pruned, type Shown, type ShownAt, toldOf } from '../tool-results.ts'
import { everything } from './full-history.ts'
import { type Beside, type PriorSummary, priorSummary, tokensForModel } from './prior-summary.ts'
import { RECENT_MESSAGE_COUNT } from './pruned-tools.ts'

/** The part of the room for the summary; the recent messages have the rest. */
const SUMMARY_TARGET_RATIO = 0.3
/** The summary takes at most this part of what the recent messages leave. */
const OF_THE_REST = 0.9
/**
 * The largest part of the room for the last messages as they were said. If their tool results need more, they become
 * talk, and the results get the rest at the end.
 */
const FULL_RATIO = 0.35
/** The part of what the last messages leave that goes to the talk just before them. */
const NEAR_RATIO = 0.03
/** The part of the rest for the person's own words, before any of the agent's are chosen. */
const WORDS_RATIO = 0.45
/** The largest part of the room for the last question, when it is before the recent messages. */
const QUESTION_RATIO = 0.2
/** A message that is cut to fewer tokens says next to nothing. */
const MIN_CUT = 40
/** Rounds that give unused room to the talk; a smaller part of the room stays unused. */
const ROUNDS = 8
const UNUSED_RATIO = 0.01

/**
 * Shows a summary of the earlier part, then at least the last six messages, and before these as much of the talk as fits,
 * the rarest first. If the last six take too much as they were said, their tool results are shortened, then reported in
 * a line; at last only the newest turn is shown, cut. The person's last question is always there.
 */
export const recentPlusSummary: Strategy = {
  name: 'recent-plus-summary',
  priority: 3,
  minTokens: 1500,
  fitsItself: true,
  tell(history, room) {
    if (history.live.length <= RECENT_MESSAGE_COUNT) return everything(history)
    let recent = recentOf(history, room)
    const limit = summaryLimit(recent, room)
    fillBefore(recent, history, room)
    const summary = priorSummary(besideOf(recent, history), history, lastFrom(history.live), limit, room)
    let told = withSummary(recent, history, summary)
    // Room that the summary and the notes have not used goes to more of the talk, and to results.
    let part = 1
    for (let round = 0; round < ROUNDS; round += 1) {
      const unused = Math.floor((room.tokens - costOf(told.pieces, room)) * part)
      if (unused < room.tokens * UNUSED_RATIO) break
      const more: Filling = { shown: new Map(recent.shown), tokens: recent.tokens }
      const most = recent.tokens + unused
      // The summary has the task already, unless it is shown.
      fill(more, history, room, most, askedFirst(history.said))
      more.tokens += addResults(more.shown, history, room, most - more.tokens)
      if (more.tokens === recent.tokens) break
      const next = withSummary(more, history, summary)
      // A message that splits a joined group costs more than its own tokens.
      if (costOf(next.pieces, room) > room.tokens) part /= 2
      else {
        recent = more
        told = next
      }
    }
    return withCut(told, recent, history, room, summary)
  },
}

/** Room that is left takes the newest message that is not shown, cut where it does not fit. */
function withCut(
  told: Told,
  recent: Filling,
  history: History,
  room: Room,
  summary: PriorSummary | undefined,
): Told {
  const unused = room.tokens - costOf(told.pieces, room) - room.cost(MARK)
  const place = notShown(recent, history).at(-1)
  if (place === undefined || unused < MIN_CUT) return told
  const message = asTalk(history.live[place]!, history.answers)
  const fits = room.cost({ message }, unused) <= unused
  const piece = fits ? { message } : cutMessage(message, room, unused)
  if (piece === undefined) return told
  const shown: ShownAt = new Map([...recent.shown, [place, { piece, how: fits ? 'talk' : 'cut' }]])
  const next = withSummary({ ...recent, shown }, history, summary)
  return costOf(next.pieces, room) > room.tokens ? told : next
}

/** A part for a model to summarise: the live path up to `end`, in `targetTokens` tokens. */
export interface Older {
  end: number
  targetTokens: number
}

/**
 * The beginning of the live path up to the last message that this strategy would not show. Undefined when it shows
 * everything.
 */
export function olderPart(history: History, room: Room): Older | undefined {
  const { live } = history
  if (live.length <= RECENT_MESSAGE_COUNT) return undefined
  const recent = recentOf(history, room)
  const limit = summaryLimit(recent, room)
  fillBefore(recent, history, room)
  let end = 1 + live.findLastIndex((message, place) => isTalk(message) && !recent.shown.has(place))
  while (live[end]?.role === 'tool') end += 1
  const most = Math.min(end, lastFrom(live))
  return most === 0 ? undefined : { end: most, targetTokens: tokensForModel(limit) }
}

function recentOf(history: History, room: Room): Filling {
  const { live } = history
  const from = lastFrom(live)
  const question = questionBefore(history, from, room)
  const most = Math.floor(room.tokens * (1 - SUMMARY_TARGET_RATIO)) - (question?.tokens ?? 0)
  const recent = lastOnes(history, from, room, most)
  recent.tokens += room.cost(MARK) + LEFT_OUT_NOTE
  if (question === undefined || recent.shown.has(question.index)) return recent
  recent.shown.set(question.index, question)
  return { ...recent, tokens: recent.tokens + question.tokens + room.cost(MARK) }
}

/** Shows the last messages in the fullest way that fits. */
function lastOnes(history: History, from: number, room: Room, most: number): Filling {
  const last = history.live.slice(from)
  for (const way of [last, last.map((message) => pruned(message, history.answers))]) {
    const told = way.map((message, n): [number, Shown] => [
      from + n,
      { piece: { message }, how: message === last[n] ? 'whole' : 'pruned' },
    ])
    const recent = shownOf(told, room, Math.min(most, FULL_RATIO * room.tokens))
    if (recent !== undefined) return recent
  }
  const talk = last.flatMap((message, n): [number, Shown][] =>
    isTalk(message)
      ? [[from + n, { piece: { message: asTalk(message, history.answers) }, how: 'talk' }]]
      : [],
  )
  return shownOf(talk, room, most) ?? newestOf(history, from, room, most)
}

/**
 * Used when even that is too much. Shows the person's last message and the very last one, cut to what fits, and as many
 * more of the last messages as fit.
 */
function newestOf(history: History, from: number, room: Room, most: number): Filling {
  const shown: ShownAt = new Map()
  let tokens = 0
  for (const { message, piece, whole } of cutTurn(history, room, most)) {
    shown.set(history.live.indexOf(message), { piece, how: whole ? 'talk' : 'cut' })
    tokens += room.cost(piece)
  }
  const recent: Filling = { shown, tokens }
  const last = new Set(history.live.slice(from))
  addTalk(recent, history, room, { most, wanted: (message) => last.has(message) })
  return recent
}

function shownOf(told: readonly [number, Shown][], room: Room, most: number): Filling | undefined {
  let tokens = 0
  for (const [, { piece }] of told) {
    tokens += room.cost(piece, most)
    if (tokens > most) return undefined
  }
  return { shown: new Map(told), tokens }
}

/** The person's last question, when it is before the last messages. */
function questionBefore({ live, answers }: History, from: number, room: Room) {
  const index = live.findLastIndex(isPrompt)
  if (index < 0 || index >= from) return undefined
  const message = asTalk(live[index]!, answers)
  const most = Math.floor(room.tokens * QUESTION_RATIO)
  const whole: Piece = { message }
  const fits = room.cost(whole, most) <= most
  const piece = fits ? whole : cutMessage(message, room, most)
  if (piece === undefined) return undefined
  return { index, piece, how: fits ? ('talk' as const) : ('cut' as const), tokens: room.cost(piece) }
}

/** Fills the room beside the summary. First comes the talk just before, so that the last messages have their context. */
function fillBefore(recent: Filling, history: History, room: Room): void {
  const most = Math.floor(room.tokens - summaryTarget(recent, room))
  addTalk(recent, history, room, { most: partOf(recent, most, NEAR_RATIO) })
  fill(recent, history, room, most)
}

/**
 * First come the person's own words: they are short, and their requests still hold. Then come more of them and the
 * agent's last message in each turn, and then the rest of the talk. In each group the rarest messages of this
 * conversation go first, however old they are.
 */
function fill(recent: Filling, history: History, room: Room, most: number, except?: Message): void {
  const last = lastAnswers(history.live)
  const add = (upTo: number, wanted: (message: Message) => boolean): void =>
    addRarest(recent, history, room, {
      most: upTo,
      wanted: (message) => message !== except && wanted(message),
    })
  add(partOf(recent, most, WORDS_RATIO), ({ role }) => role === 'user')
  add(most, (message) => message.role === 'user' || last.has(message))
  add(most, () => true)
}

function partOf({ tokens }: Filling, most: number, ratio: number): number {
  return tokens + Math.floor((most - tokens) * ratio)
}

function summaryTarget({ tokens }: Filling, room: Room): number {
  return Math.min(SUMMARY_TARGET_RATIO * room.tokens, OF_THE_REST * (room.tokens - tokens))
}

function summaryLimit(recent: Filling, room: Room): number {
  return Math.floor(summaryTarget(recent, room) - room.cost({ note: summaryNote('') }))
}

function notShown({ shown }: Filling, { live }: History): number[] {
  const places: number[] = []
  for (const [place, message] of live.entries()) if (isTalk(message) && !shown.has(place)) places.push(place)
  return places
}

function besideOf(recent: Filling, history: History): Beside {
  const whole = [...recent.shown].flatMap(([place, { how }]) => (how === 'cut' ? [] : [history.live[place]!]))
  return { others: notShown(recent, history), whole: new Set(whole) }
}

/** The summary was made when fewer messages were shown, so it may report some that are shown by now. */
function withSummary(recent: Filling, history: History, summary: PriorSummary | undefined): Told {
  const { entries, ...counts } = toldOf(recent.shown, history.live)
  const others = notShown(recent, history)
  if (others.length === 0) return { ...counts, pieces: underOneHead(counts.pieces), summarised: 0 }
  const told = new Set(others.filter((place) => summary?.told.has(place)))
  const by = summary?.byModel
  const byModel = by && { model: by.model, messages: others.filter((place) => by.told.has(place)).length }
  const note: Piece = { note: summaryNote(summary?.text ?? '(there was no room for it)') }
  return {
    ...counts,
    pieces: [note, ...leftOutNote(others.length - told.size), ...underOneHead(withMarks(entries, others))],
    summarised: told.size,
    ...(byModel === undefined || byModel.messages === 0 ? {} : { byModel }),
  }
}

function summaryNote(summary: string): string {
  return `## Prior Conversation Summary\n\n${summary}\n\n---\n\n## Recent Messages Follow`
}

/** The place where the last messages begin. */
function lastFrom(live: readonly Message[]): number {
  return startOfUnit(live, live.length - RECENT_MESSAGE_COUNT)
}

/** A result stays with its call: when `index` is the place of a result, this gives the place of its call. */
function startOfUnit(live: readonly Message[], index: number): number {
  let start = Math.max(0, index)
  while (start > 0 && live[start]!.role === 'tool') start -= 1
  return start
}
