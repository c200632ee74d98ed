import { isPrompt, isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { cutMessage, cutTurn } from '../newest-turn.ts'
import { asTalk } from '../render.ts'
import { callsOf, type History, type Piece, type Room, type Strategy, type Told } from '../strategy.ts'
import { everything } from './full-history.ts'
import { priorSummary, tokensForModel } from './prior-summary.ts'
import { pruned, RECENT_MESSAGE_COUNT } from './pruned-tools.ts'

/** The part of the room for the summary; the recent messages have the rest. */
const SUMMARY_TARGET_RATIO = 0.3
/** The summary takes at most this part of what the recent messages leave. */
const OF_THE_REST = 0.9
/** The part of what the last messages leave that goes to the talk just before them. */
const NEAR_RATIO = 0.2
/** Older words of the person are cut from this many tokens on; a paste may be among them. */
const LONG_WORDS = 300
/** Tokens that are set aside for the note before a piece that messages are missing. */
const GAP = 7
/** The largest part of the room for the last question, when it lies before the recent messages. */
const QUESTION_RATIO = 0.2

/**
 * Shows a summary of the earlier part, then at least the last six messages as they were said, and before these as much
 * of the talk as fits. When the last six alone are too large, their tool results are shortened, then told in a line
 * each; at last only the newest turn is shown, cut. The person's last question is always there.
 */
export const recentPlusSummary: Strategy = {
  name: 'recent-plus-summary',
  priority: 3,
  minTokens: 1500,
  fitsItself: true,
  tell(history, room) {
    if (history.live.length <= RECENT_MESSAGE_COUNT) return everything(history)
    const recent = recentOf(history, room)
    fillBefore(recent, history, room)
    return withSummary(recent, history, room)
  },
}

/** What a model may be asked to summarise: the live path up to `end`, in `targetTokens` tokens. */
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
  fillBefore(recent, history, room)
  let end = 1 + live.findLastIndex((message, place) => isTalk(message) && !recent.shown.has(place))
  while (live[end]?.role === 'tool') end += 1
  const most = Math.min(end, lastFrom(live))
  return most === 0 ? undefined : { end: most, targetTokens: tokensForModel(summaryLimit(recent, room)) }
}

/** The messages that are shown of the end of a history, by their place in `live`. */
interface Recent {
  shown: Map<number, { piece: Piece; how: 'whole' | 'talk' | 'cut' }>
  tokens: number
  toolResultsPruned: number
}

function recentOf(history: History, room: Room): Recent {
  const { live } = history
  const from = lastFrom(live)
  const question = questionBefore(history, from, room)
  const most = Math.floor(room.tokens * (1 - SUMMARY_TARGET_RATIO)) - (question?.tokens ?? 0)
  const recent = lastOnes(history, from, room, most)
  recent.tokens += GAP
  if (question === undefined || recent.shown.has(question.index)) return recent
  recent.shown.set(question.index, question)
  return { ...recent, tokens: recent.tokens + question.tokens + GAP }
}

/** Shows the last messages in the fullest way that fits. */
function lastOnes(history: History, from: number, room: Room, most: number): Recent {
  const last = history.live.slice(from)
  for (const way of [last, last.map((message) => pruned(message, history.answers))]) {
    const told = way.map((message, n) => ({ index: from + n, message, how: 'whole' as const }))
    const changed = way.filter((message, n) => message !== last[n]).length
    const recent = shownOf(told, room, most, changed)
    if (recent !== undefined) return recent
  }
  const talk = last.flatMap((message, n) =>
    isTalk(message)
      ? [{ index: from + n, message: asTalk(message, history.answers), how: 'talk' as const }]
      : [],
  )
  return shownOf(talk, room, most, 0) ?? newestOf(history, from, room, most)
}

/**
 * Used when even that is too much. Shows the person's last message and the very last one, cut to what fits, and as many
 * more of the last messages as fit.
 */
function newestOf(history: History, from: number, room: Room, most: number): Recent {
  const shown: Recent['shown'] = new Map()
  let tokens = 0
  for (const { message, piece, whole } of cutTurn(history, room, most)) {
    shown.set(history.live.indexOf(message), { piece, how: whole ? 'talk' : 'cut' })
    tokens += room.cost(piece)
  }
  const recent: Recent = { shown, tokens, toolResultsPruned: 0 }
  const last = new Set(history.live.slice(from))
  addTalk(recent, history, room, most, (message) => last.has(message))
  return recent
}

function shownOf(
  told: { index: number; message: Message; how: 'whole' | 'talk' }[],
  room: Room,
  most: number,
  toolResultsPruned: number,
): Recent | undefined {
  const shown: Recent['shown'] = new Map()
  let tokens = 0
  for (const { index, message, how } of told) {
    const piece: Piece = { message }
    tokens += room.cost(piece, most)
    if (tokens > most) return undefined
    shown.set(index, { piece, how })
  }
  return { shown, tokens, toolResultsPruned }
}

/** The person's last question, when it lies before the last messages. */
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

/**
 * Fills the room beside the summary in three steps. First comes the talk just before, so that the last messages have
 * their context. Then come the person's own words, however old: they are short, and what they asked for still holds.
 * Then comes the rest of the talk, newest first.
 */
function fillBefore(recent: Recent, history: History, room: Room): void {
  const most = Math.floor(room.tokens - summaryTarget(recent, room))
  const near = recent.tokens + Math.floor((most - recent.tokens) * NEAR_RATIO)
  addTalk(recent, history, room, near, () => true)
  addTalk(recent, history, room, most, ({ role }) => role === 'user')
  addTalk(recent, history, room, most, () => true)
}

/** Adds talk, newest first, until a message does not fit. Long words of the person are cut so that they fit. */
function addTalk(
  recent: Recent,
  { live, answers }: History,
  room: Room,
  most: number,
  wanted: (message: Message) => boolean,
): void {
  // A message right before a shown piece only moves the gap; it does not add another one.
  let gap = 0
  for (let index = live.length - 1; index >= 0; index -= 1) {
    const message = live[index]!
    if (!isTalk(message)) continue
    const between = gap
    gap = recent.shown.has(index) ? 0 : GAP
    if (gap === 0 || !wanted(message)) continue
    const talk = asTalk(message, answers)
    const whole: Piece = { message: talk }
    const cost = room.cost(whole, room.tokens)
    const long = message.role === 'user' && cost > LONG_WORDS
    const piece = long ? cutMessage(talk, room, LONG_WORDS) : whole
    if (piece === undefined) continue
    const tokens = (long ? room.cost(piece) : cost) + between
    if (recent.tokens + tokens > most) return
    gap = 0
    recent.tokens += tokens
    recent.shown.set(index, { piece, how: long ? 'cut' : 'talk' })
  }
}

function summaryTarget({ tokens }: Recent, room: Room): number {
  return Math.min(SUMMARY_TARGET_RATIO * room.tokens, OF_THE_REST * (room.tokens - tokens))
}

function summaryLimit(recent: Recent, room: Room): number {
  return Math.floor(summaryTarget(recent, room) - room.cost({ note: summaryNote('') }))
}

function withSummary(recent: Recent, history: History, room: Room): Told {
  const { live } = history
  const { shown, toolResultsPruned } = recent
  const entries = [...shown].sort(([a], [b]) => a - b)
  const talk = entries.filter(([index]) => isTalk(live[index]!))
  const others = [...live.keys()].filter((place) => isTalk(live[place]!) && !shown.has(place))
  const whole = talk.filter(([, { how }]) => how !== 'cut')
  const counts = {
    whole: whole.length,
    shortened: talk.length - whole.length,
    toolResultsWhole: entries.length - talk.length - toolResultsPruned,
    toolResultsPruned,
    toolCallsInALine: callsOf(whole.flatMap(([index, { how }]) => (how === 'talk' ? [live[index]!] : []))),
  }
  if (others.length === 0) return { ...counts, pieces: entries.map(([, { piece }]) => piece), summarised: 0 }
  const summary = priorSummary(others, history, lastFrom(live), summaryLimit(recent, room), room)
  const told = summary?.told ?? new Set()
  const note: Piece = { note: summaryNote(summary?.text ?? '(there was no room for it)') }
  return {
    ...counts,
    pieces: [note, ...withGaps(entries, others, told)],
    summarised: told.size,
    ...(summary?.byModel === undefined ? {} : { byModel: summary.byModel }),
  }
}

/** Puts a note before each piece that says how many messages are left out there. */
function withGaps(
  entries: readonly [number, { piece: Piece }][],
  others: readonly number[],
  told: ReadonlySet<number>,
): Piece[] {
  let next = 0
  return entries.flatMap(([index, { piece }], place) => {
    const from = next
    while (next < others.length && others[next]! < index) next += 1
    const missing = others.slice(from, next)
    const leftOut = missing.filter((one) => !told.has(one)).length
    if (leftOut > 0) return [{ note: `[… ${leftOut} left out …]` }, piece]
    // The first piece needs no note, because the summary stands right above it.
    return missing.length > 0 && place > 0 ? [{ note: '[… summarised above …]' }, piece] : [piece]
  })
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
