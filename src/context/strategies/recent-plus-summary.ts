import { isPrompt, isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { addRarest, addTalk, type Filling, lastAnswers } from '../add-talk.ts'
import { GAP_MARK, LEFT_OUT_NOTE_TOKENS, leftOutNote, withMarks } from '../gaps.ts'
import { cutMessage, cutTurn } from '../newest-turn.ts'
import { asTalk, underOneHead } from '../rendering/as-talk.ts'
import { askedFirst } from '../state/index.ts'
import {
  costOf,
  type History,
  type Piece,
  type Room,
  type Strategy,
  type StrategyResult,
} from '../strategy.ts'
import { addResults, countShown, pruned, type Shown, type ShownAt } from '../tool-results.ts'
import { everything } from './full-history.ts'
import { type PriorSummary, priorSummary, tokensForModel, type Visibility } from './prior-summary.ts'
import { RECENT_MESSAGE_COUNT } from './pruned-tools.ts'

/**
 * How the room is shared, for 10,000 tokens: 3,000 are kept for the summary, up to 3,500 go to the last six messages, and
 * the rest of the 7,000 to the talk before them. The summary may then take nine tenths of what the last six have left
 * (`summaryLimit`), and what it leaves goes to more of the talk.
 */

/** The part of the room for the summary; the messages that are shown get the rest. */
const SUMMARY_TARGET_RATIO = 0.3
/** The summary takes at most this part of the room that the recent messages leave. */
const OF_THE_REST = 0.9
/**
 * The last messages and their tool results may take this part of the room. If they need more even with shortened
 * results, they are shown as talk. Their results may then fill the room that is left at the end.
 */
const FULL_RATIO = 0.35
/** The part of the remaining room for the talk just before the last messages. */
const NEAR_RATIO = 0.03
/** Of the room that is then left, this part is for the person's messages. The agent's messages are chosen later. */
const WORDS_RATIO = 0.45
/** The largest part of the room for the person's last prompt, if the prompt is older than the last messages. */
const QUESTION_RATIO = 0.2
/** No further message is shown when fewer tokens than this are left. */
const MIN_CUT_TOKENS = 40
/**
 * The most rounds that give unused room to the talk. The rounds end when less than `UNUSED_RATIO` of the room is
 * unused.
 */
const MAX_ROUNDS = 8
const UNUSED_RATIO = 0.01

/**
 * Shows the last six messages and a summary of the earlier part. Also shows as much of the earlier talk as fits, the
 * rarest words first. If the last messages take too much room, their tool results are shortened. If that is not enough,
 * the tool calls are reported in a line. If even that is too much, only the newest turn is shown, cut. The person's
 * last prompt is shown if any of it fits.
 */
export const recentPlusSummary: Strategy = {
  name: 'recent-plus-summary',
  priority: 3,
  minTokens: 1500,
  fitsItself: true,
  show(history, room) {
    if (history.live.length <= RECENT_MESSAGE_COUNT) return everything(history)
    const begun = beginning(history, room)
    let { recent } = begun
    const { limit } = begun
    const summary = priorSummary(visibilityOf(recent, history), history, lastFrom(history.live), limit, room)
    let result = withSummary(recent, history, summary)
    // Room that the summary and the notes leave unused goes to more of the talk, and to tool results.
    let part = 1
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const unused = Math.floor((room.tokens - costOf(result.pieces, room)) * part)
      if (unused < room.tokens * UNUSED_RATIO) break
      const more: Filling = { shown: new Map(recent.shown), tokens: recent.tokens }
      const maxTokens = recent.tokens + unused
      // The first request is not added: the summary has the task already.
      fill(more, history, room, maxTokens, askedFirst(history.said))
      more.tokens += addResults(more.shown, history, room, maxTokens - more.tokens)
      if (more.tokens === recent.tokens) break
      const next = withSummary(more, history, summary)
      // A new message may split a joined message in two. Then it costs more than its own tokens.
      if (costOf(next.pieces, room) > room.tokens) part /= 2
      else {
        recent = more
        result = next
      }
    }
    return withCut(result, recent, history, room, summary)
  },
}

/** Fills the room that is left with the newest message that is not shown. Cuts this message if it does not fit. */
function withCut(
  result: StrategyResult,
  recent: Filling,
  history: History,
  room: Room,
  summary: PriorSummary | undefined,
): StrategyResult {
  const unused = room.tokens - costOf(result.pieces, room) - room.cost(GAP_MARK)
  const index = notShown(recent, history).at(-1)
  if (index === undefined || unused < MIN_CUT_TOKENS) return result
  const message = asTalk(history.live[index]!, history.answers)
  const fits = room.cost({ message }, unused) <= unused
  const piece = fits ? { message } : cutMessage(message, room, unused)
  if (piece === undefined) return result
  const shown: ShownAt = new Map([...recent.shown, [index, { piece, how: fits ? 'talk' : 'cut' }]])
  const next = withSummary({ ...recent, shown }, history, summary)
  return costOf(next.pieces, room) > room.tokens ? result : next
}

/** What a model should summarise: the first `end` messages of the live path, in `targetTokens` tokens. */
export interface Older {
  end: number
  targetTokens: number
}

/**
 * Returns the beginning of the live path, up to the newest message that this strategy leaves out. The last six messages
 * are never a part of it. Undefined when the strategy shows all talk.
 */
export function olderPart(history: History, room: Room): Older | undefined {
  const { live } = history
  if (live.length <= RECENT_MESSAGE_COUNT) return undefined
  const { recent, limit } = beginning(history, room)
  let end = 1 + live.findLastIndex((message, index) => isTalk(message) && !recent.shown.has(index))
  while (live[end]?.role === 'tool') end += 1
  const olderEnd = Math.min(end, lastFrom(live))
  return olderEnd === 0 ? undefined : { end: olderEnd, targetTokens: tokensForModel(limit) }
}

/** What is shown before the summary is made, and the most tokens of the summary. */
function beginning(history: History, room: Room): { recent: Filling; limit: number } {
  const recent = recentOf(history, room)
  // Before the talk is filled in: that takes of the room which the summary may have.
  const limit = summaryLimit(recent, room)
  fillBefore(recent, history, room)
  return { recent, limit }
}

/** The last six messages, and the person's last prompt if it is older. */
function recentOf(history: History, room: Room): Filling {
  const { live } = history
  const from = lastFrom(live)
  const question = questionBefore(history, from, room)
  const maxTokens = Math.floor(room.tokens * (1 - SUMMARY_TARGET_RATIO)) - (question?.tokens ?? 0)
  const recent = lastOnes(history, from, room, maxTokens)
  recent.tokens += room.cost(GAP_MARK) + LEFT_OUT_NOTE_TOKENS
  if (question === undefined || recent.shown.has(question.index)) return recent
  recent.shown.set(question.index, question)
  return { ...recent, tokens: recent.tokens + question.tokens + room.cost(GAP_MARK) }
}

/** Shows the last messages in the first way that fits: whole, with shorter tool results, as talk, or cut. */
function lastOnes(history: History, from: number, room: Room, maxTokens: number): Filling {
  const last = history.live.slice(from)
  for (const way of [last, last.map((message) => pruned(message, history.answers))]) {
    const entries = way.map((message, n): [number, Shown] => [
      from + n,
      { piece: { message }, how: message === last[n] ? 'whole' : 'pruned' },
    ])
    const recent = shownOf(entries, room, Math.min(maxTokens, FULL_RATIO * room.tokens))
    if (recent !== undefined) return recent
  }
  const talk = last.flatMap((message, n): [number, Shown][] =>
    isTalk(message)
      ? [[from + n, { piece: { message: asTalk(message, history.answers) }, how: 'talk' }]]
      : [],
  )
  return shownOf(talk, room, maxTokens) ?? newestOf(history, from, room, maxTokens)
}

/**
 * Shows the person's last prompt and the very last message, cut to what fits. Adds as many more of the last messages as
 * fit. Used when the last messages do not even fit as talk.
 */
function newestOf(history: History, from: number, room: Room, maxTokens: number): Filling {
  const shown: ShownAt = new Map()
  let tokens = 0
  for (const { message, piece, whole } of cutTurn(history, room, maxTokens)) {
    shown.set(history.live.indexOf(message), { piece, how: whole ? 'talk' : 'cut' })
    tokens += room.cost(piece)
  }
  const recent: Filling = { shown, tokens }
  const last = new Set(history.live.slice(from))
  addTalk(recent, history, room, { maxTokens, accepts: (message) => last.has(message) })
  return recent
}

function shownOf(entries: readonly [number, Shown][], room: Room, maxTokens: number): Filling | undefined {
  let tokens = 0
  for (const [, { piece }] of entries) {
    tokens += room.cost(piece, maxTokens)
    if (tokens > maxTokens) return undefined
  }
  return { shown: new Map(entries), tokens }
}

/** Returns the person's last prompt, whole or cut, if it is older than the last messages. */
function questionBefore({ live, answers }: History, from: number, room: Room) {
  const index = live.findLastIndex(isPrompt)
  if (index < 0 || index >= from) return undefined
  const message = asTalk(live[index]!, answers)
  const maxTokens = Math.floor(room.tokens * QUESTION_RATIO)
  const whole: Piece = { message }
  const fits = room.cost(whole, maxTokens) <= maxTokens
  const piece = fits ? whole : cutMessage(message, room, maxTokens)
  if (piece === undefined) return undefined
  return { index, piece, how: fits ? ('talk' as const) : ('cut' as const), tokens: room.cost(piece) }
}

/**
 * Fills the room that the summary leaves. The talk just before the last messages goes first, because it explains them.
 */
function fillBefore(recent: Filling, history: History, room: Room): void {
  const maxTokens = Math.floor(room.tokens - summaryTarget(recent, room))
  addTalk(recent, history, room, { maxTokens: partOf(recent, maxTokens, NEAR_RATIO) })
  fill(recent, history, room, maxTokens)
}

/**
 * Adds some of the person's messages first, because they are short and their requests still apply. Then adds more of
 * the person's messages and the agent's last message of each turn. At last, adds the rest of the talk. In each of these
 * groups, the messages with the rarest words go first, however old they are.
 */
function fill(recent: Filling, history: History, room: Room, maxTokens: number, except?: Message): void {
  const last = lastAnswers(history.live)
  const add = (upTo: number, accepts: (message: Message) => boolean): void =>
    addRarest(recent, history, room, {
      maxTokens: upTo,
      accepts: (message) => message !== except && accepts(message),
    })
  add(partOf(recent, maxTokens, WORDS_RATIO), ({ role }) => role === 'user')
  add(maxTokens, (message) => message.role === 'user' || last.has(message))
  add(maxTokens, () => true)
}

function partOf({ tokens }: Filling, maxTokens: number, ratio: number): number {
  return tokens + Math.floor((maxTokens - tokens) * ratio)
}

function summaryTarget({ tokens }: Filling, room: Room): number {
  return Math.min(SUMMARY_TARGET_RATIO * room.tokens, OF_THE_REST * (room.tokens - tokens))
}

function summaryLimit(recent: Filling, room: Room): number {
  return Math.floor(summaryTarget(recent, room) - room.cost({ note: summaryNote('') }))
}

function notShown({ shown }: Filling, { live }: History): number[] {
  const indexes: number[] = []
  for (const [index, message] of live.entries()) if (isTalk(message) && !shown.has(index)) indexes.push(index)
  return indexes
}

function visibilityOf(recent: Filling, history: History): Visibility {
  const whole = [...recent.shown].flatMap(([index, { how }]) => (how === 'cut' ? [] : [history.live[index]!]))
  return { others: notShown(recent, history), whole: new Set(whole) }
}

/** Some messages may have been added after the summary was made. They are shown, so they do not count as summarised. */
function withSummary(recent: Filling, history: History, summary: PriorSummary | undefined): StrategyResult {
  const { entries, ...counts } = countShown(recent.shown, history.live)
  const others = notShown(recent, history)
  if (others.length === 0) return { ...counts, pieces: underOneHead(counts.pieces), summarised: 0 }
  const reported = new Set(others.filter((index) => summary?.reported.has(index)))
  const by = summary?.byModel
  const byModel = by && { model: by.model, messages: others.filter((index) => by.reported.has(index)).length }
  const note: Piece = { note: summaryNote(summary?.text ?? '(there was no room for it)') }
  return {
    ...counts,
    pieces: [
      note,
      ...leftOutNote(others.length - reported.size),
      ...underOneHead(withMarks(entries, others)),
    ],
    summarised: reported.size,
    ...(byModel === undefined || byModel.messages === 0 ? {} : { byModel }),
  }
}

function summaryNote(summary: string): string {
  return `## Prior Conversation Summary\n\n${summary}\n\n---\n\n## Recent Messages Follow`
}

/** Returns the index at which the last messages begin. */
function lastFrom(live: readonly Message[]): number {
  return startOfUnit(live, live.length - RECENT_MESSAGE_COUNT)
}

/** Returns the index of the call if there is a tool result at `index`, because a result stays with its call. */
function startOfUnit(live: readonly Message[], index: number): number {
  let start = Math.max(0, index)
  while (start > 0 && live[start]!.role === 'tool') start -= 1
  return start
}
