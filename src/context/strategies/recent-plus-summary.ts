import { isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { cutMessage, cutTurn } from '../newest-turn.ts'
import { asTalk } from '../render.ts'
import { callsOf, type History, type Piece, type Room, type Strategy, type Told } from '../strategy.ts'
import { everything } from './full-history.ts'
import { priorSummary, tokensForModel } from './prior-summary.ts'
import { pruned, RECENT_MESSAGE_COUNT } from './pruned-tools.ts'

/** The part of the room that the summary has; the recent messages have the rest. */
const SUMMARY_TARGET_RATIO = 0.3
/** And at most so much of what the recent messages leave. */
const OF_THE_REST = 0.9
/** Of what is left beside the last messages, for the talk just before them. */
const NEAR_RATIO = 0.2
/** Tokens from which on older words of the person are cut: a paste among them. */
const LONG_WORDS = 300
/** What is set aside for saying that something is missing before a piece. */
const GAP = 7
/** Most that the last question has where it lies before the recent messages. */
const QUESTION_RATIO = 0.2

/**
 * A summary of what was said earlier, then the last six messages at least, as they were said, and before them as much
 * of the talk as fits. Where the last six alone are too large, their tool results are pruned, then told in a line each,
 * and at last only the newest turn is there, cut. What the person asked last is always there.
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

/** What a model may be asked to summarise: the beginning of the live path, and the tokens that its summary should have. */
export interface Older {
  end: number
  targetTokens: number
}

/** What this strategy would not show: all up to the last such message. Undefined where it shows everything. */
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

/** What is told of the end of a history: by their place in `live`. */
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

/** The last messages in the fullest way that fits. */
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
 * Where even that is too much: what the person said last and what was said last of all, cut to what fits, and of the
 * last messages as many more as fit.
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

/** What the person asked last, where that lies before the last messages. */
function questionBefore({ live, answers }: History, from: number, room: Room) {
  const index = live.findLastIndex(({ role }) => role === 'user')
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
 * What goes before, while it fits beside the summary: the talk just before, so that the last messages have their
 * context; then the person's own words, however old: they are short, and what they asked for still holds; then the rest
 * of the talk, newest first.
 */
function fillBefore(recent: Recent, history: History, room: Room): void {
  const most = Math.floor(room.tokens - summaryTarget(recent, room))
  const near = recent.tokens + Math.floor((most - recent.tokens) * NEAR_RATIO)
  addTalk(recent, history, room, near, () => true)
  addTalk(recent, history, room, most, ({ role }) => role === 'user')
  addTalk(recent, history, room, most, () => true)
}

/** Newest first, until one does not fit; long words of the person are cut rather than that. */
function addTalk(
  recent: Recent,
  { live, answers }: History,
  room: Room,
  most: number,
  wanted: (message: Message) => boolean,
): void {
  // What stands right before a piece that is shown moves the gap, and makes no other.
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

/** Before each piece, how many messages that would stand there are not told at all. */
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
    // The summary stands right above the first piece.
    return missing.length > 0 && place > 0 ? [{ note: '[… summarised above …]' }, piece] : [piece]
  })
}

function summaryNote(summary: string): string {
  return `## Prior Conversation Summary\n\n${summary}\n\n---\n\n## Recent Messages Follow`
}

/** Where the last messages begin. */
function lastFrom(live: readonly Message[]): number {
  return startOfUnit(live, live.length - RECENT_MESSAGE_COUNT)
}

/** A result stays with its call: the place of the call where `index` is that of a result. */
function startOfUnit(live: readonly Message[], index: number): number {
  let start = Math.max(0, index)
  while (start > 0 && live[start]!.role === 'tool') start -= 1
  return start
}
