import { isTalk, livePath, textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import type { SummaryFile } from '../session/summary-file.ts'
import type { ToolVocabulary } from '../session/tool-use.ts'
import { coveringsOf } from './covering.ts'
import { newestTurn } from './newest-turn.ts'
import { prunedNote, prunedPart, prunedTask } from './pruned-part.ts'
import type { Receipt } from './receipt.ts'
import { answersIn } from './render.ts'
import { standingNote } from './state/standing.ts'
import { aboutQuestion } from './strategies/about-question.ts'
import { fullHistory } from './strategies/full-history.ts'
import { STRATEGIES } from './strategies/index.ts'
import type { History, Piece, Room, Strategy, Told } from './strategy.ts'
import { cutToTokens } from './tokens/cut.ts'
import { LONGEST_TOKEN, leastTokens, type Tokenizer } from './tokens/index.ts'

export interface HistoryRequest {
  /** The conversation in reading order, events included. */
  messages: readonly Message[]
  /** The tokens that may be used. */
  budget: number
  tokenizer: Tokenizer
  /** The workspace-relative path of messages.jsonl, which holds the whole history. */
  record: string
  /** The agent's name for the project: a path or a name. */
  project: string
  /** Use of each of the clients' tools. */
  tools: ToolVocabulary
  /** The strategy to begin with, instead of the first one. When it does not fit, the ones after it are tried. */
  strategy?: string | undefined
  /** A question or words that the context is about, and a function that rates how well texts answer it. */
  about?: Question | undefined
  /** Summaries of ranges of the conversation that models wrote. Stale ones may be among them; they are not used. */
  summaries?: readonly SummaryFile[]
}

interface Question {
  question: string
  relevance(texts: readonly string[], question: string): number[]
}

/** Output form of the pieces: a text with a block before it, or an array of messages. */
export interface Form<Out> {
  /** The most tokens around the pieces. */
  frame(history: History): number
  /** The most tokens that a piece adds; Infinity beyond `limit`. */
  cost(piece: Piece, history: History, limit?: number): number
  make(pieces: readonly Piece[], receipt: Omit<Receipt, 'tokens'>, history: History): Out
  /** The exact number of tokens; Infinity beyond `limit`. */
  tokens(out: Out, limit?: number): number
}

/** With fewer tokens than this there is room only for a cut of the newest turn. */
export const TIGHT = 400

/**
 * Tries the strategies by priority. It skips a strategy that needs a larger budget, and uses the first one whose result
 * fits. When none fits, it uses the newest turn, cut. The result never has more tokens than the budget; with a budget
 * of 0 there is only a receipt.
 */
export function selectStrategy<Out>(
  request: HistoryRequest,
  form: Form<Out>,
): { out: Out; receipt: Receipt } {
  const history = historyOf(request)
  const isTried = mayFit(request, history)
  for (const strategy of history.about === undefined ? ladder(request.strategy) : ABOUT) {
    if (!isTried(strategy)) continue
    const built = attempt(request, form, history, strategy)
    if (built !== undefined) return built
  }
  const last = { name: 'newest-turn', fitsItself: true, leavesRoom: true as const, tell: newestTurn }
  const built = attempt(request, form, history, last)
  if (built !== undefined) return built
  const nothing = receiptOf(request, history, NOTHING, last.name)
  return { out: form.make([], nothing, history), receipt: { ...nothing, tokens: 0 } }
}

/** Tries each strategy by itself. The receipt is undefined when the result does not fit or the budget is too small. */
export function tryAll<Out>(
  request: HistoryRequest,
  form: Form<Out>,
): { strategy: string; receipt: Receipt | undefined }[] {
  const history = historyOf(request)
  const isTried = mayFit(request, history)
  return STRATEGIES.map((strategy) => ({
    strategy: strategy.name,
    receipt: isTried(strategy) ? attempt(request, form, history, strategy)?.receipt : undefined,
  }))
}

/** The history and the room that a strategy sees for this request, for a caller that asks what it would leave out. */
export function view<Out>(request: HistoryRequest, form: Form<Out>): { history: History; room: Room } {
  const history = historyOf(request)
  return { history, room: roomOf(request, form, history, spaceFor(request, form, history, true).tokens) }
}

/** With a question: all of it where it fits, else what was said about it, else as without a question. */
const ABOUT: readonly Strategy[] = [
  fullHistory,
  { name: 'about-question', priority: 0, minTokens: 800, fitsItself: true, tell: aboutQuestion },
  ...STRATEGIES.filter((one) => one !== fullHistory),
]

function ladder(first: string | undefined): readonly Strategy[] {
  const place = STRATEGIES.findIndex(({ name }) => name === first)
  return STRATEGIES.slice(Math.max(place, 0))
}

export function historyOf({
  messages,
  project,
  tools,
  about,
  summaries = [],
}: Pick<HistoryRequest, 'messages' | 'project' | 'tools' | 'about' | 'summaries'>): History {
  const live = livePath(messages)
  return {
    ...(about === undefined
      ? {}
      : { about: { question: about.question, scores: about.relevance(live.map(textOf), about.question) } }),
    live,
    said: live.filter(isTalk),
    answers: answersIn(live, tools),
    task: prunedTask(messages),
    project,
    summaries: coveringsOf(live, summaries),
  }
}

function attempt<Out>(
  request: HistoryRequest,
  form: Form<Out>,
  history: History,
  strategy: Pick<Strategy, 'name' | 'fitsItself' | 'leavesRoom' | 'tell'>,
): { out: Out; receipt: Receipt } | undefined {
  const { budget } = request
  const space = spaceFor(request, form, history, strategy.leavesRoom !== true)
  const fill = (tokens: number): { out: Out; receipt: Receipt } | undefined => {
    const told = tokens > 0 ? strategy.tell(history, roomOf(request, form, history, tokens)) : undefined
    if (told === undefined || tooLong(told.pieces, budget)) return undefined
    const receipt = receiptOf(request, history, told, strategy.name)
    const out = form.make([...space.before, ...told.pieces], receipt, history)
    const used = form.tokens(out, strategy.fitsItself ? undefined : budget)
    return { out, receipt: { ...receipt, tokens: used } }
  }
  let { tokens } = space
  let built = fill(tokens)
  // The frame may take more tokens than were reserved for it. Then there is less room.
  while (built !== undefined && built.receipt.tokens > budget) {
    if (!strategy.fitsItself) return undefined
    tokens -= built.receipt.tokens - budget
    built = fill(tokens)
  }
  if (built === undefined || strategy.leavesRoom === true) return built
  // It may count less, too. Then there is more room, as much of it as still fits.
  for (const part of OF_WHAT_IS_LEFT) {
    const left: number = budget - built.receipt.tokens
    if (left < budget * (1 - WELL_FILLED)) break
    const fuller = fill(tokens + Math.floor(left * part))
    if (fuller === undefined || fuller.receipt.tokens > budget) continue
    tokens += Math.floor(left * part)
    if (fuller.receipt.tokens > built.receipt.tokens) built = fuller
  }
  return built
}

const OF_WHAT_IS_LEFT = [0.9, 0.9, 0.5]
/** With this part of the budget used, nothing more is looked for. */
const WELL_FILLED = 0.97

/**
 * The pieces before those of a strategy, and the tokens that are left for these. `standing` adds a note on the state of
 * the work, which a strategy that shows everything does not need.
 */
function spaceFor<Out>(
  request: HistoryRequest,
  form: Form<Out>,
  history: History,
  standing: boolean,
): { before: Piece[]; tokens: number } {
  if (request.budget < TIGHT) return { before: [], tokens: request.budget }
  const framed = request.budget - form.frame(history)
  const state = standing ? standingNote(history, framed, request.tokenizer) : ''
  const before = [...notesBefore(request, form, history, framed), ...(state === '' ? [] : [{ note: state }])]
  return { before, tokens: framed - before.reduce((sum, piece) => sum + form.cost(piece, history), 0) }
}

/** The summaries of pruned lines: whole, or cut to their part of the room. */
function notesBefore<Out>(
  { messages, tokenizer }: HistoryRequest,
  form: Form<Out>,
  history: History,
  tokens: number,
): Piece[] {
  const note = prunedNote(messages)
  if (note === '') return []
  const most = Math.floor(tokens * PRUNED_RATIO)
  const cut = cutToTokens(note, most - form.cost({ note: '' }, history), tokenizer)
  return cut === '' ? [] : [{ note: cut }]
}

/** The largest part of the room that summaries of pruned lines may take. */
const PRUNED_RATIO = 0.2

function roomOf<Out>({ tokenizer }: HistoryRequest, form: Form<Out>, history: History, tokens: number): Room {
  return {
    tokens,
    cost: (piece, limit) =>
      limit !== undefined && tooLong([piece], limit)
        ? Number.POSITIVE_INFINITY
        : form.cost(piece, history, limit),
    count: (text, limit) => tokenizer.count(text, limit),
    cut: (text, most) => cutToTokens(text, most, tokenizer),
  }
}

/** Judges by the length alone, so that such pieces need not be rendered. */
function tooLong(pieces: readonly Piece[], tokens: number): boolean {
  return pieces.reduce((sum, piece) => sum + charactersIn(piece), 0) > tokens * LONGEST_TOKEN
}

/** Tells of strategies whether they are tried. That all of the talk is too long is judged once, and without counting. */
function mayFit({ budget }: HistoryRequest, { said }: History): (strategy: Strategy) => boolean {
  let left = budget
  for (const message of said) {
    const text = textOf(message)
    left -= Math.max(leastTokens(text), text.length / LONGEST_TOKEN)
    if (left < 0) break
  }
  return ({ minTokens, showsTalk }) => budget >= minTokens && (left >= 0 || showsTalk !== true)
}

/** A lower bound for the characters of a piece. */
function charactersIn(piece: Piece): number {
  if ('note' in piece) return piece.note.length
  let sum = textOf(piece.message).length
  for (const { arguments: given } of piece.message.tool_calls ?? [])
    for (const value of typeof given === 'object' ? Object.values(given ?? {}) : [given])
      if (typeof value === 'string') sum += value.length
  return sum
}

const NOTHING: Told = {
  pieces: [],
  whole: 0,
  shortened: 0,
  summarised: 0,
  toolResultsWhole: 0,
  toolResultsPruned: 0,
  toolCallsInALine: 0,
}

/** The receipt without its tokens, because these depend on the `History:` line that is made from it. */
export function receiptOf(
  { budget, record, messages }: Pick<HistoryRequest, 'budget' | 'record' | 'messages'>,
  { said, live }: History,
  { pieces, ...counts }: Told,
  strategy: string,
): Omit<Receipt, 'tokens'> {
  const pruned = prunedPart(messages, record)
  return {
    strategy,
    budget,
    ...counts,
    toolResultsCut: cutIn(pieces, live),
    messages: said.length,
    fromUser: said.filter((message) => message.role === 'user').length,
    leftOut: said.length - counts.whole - counts.shortened - counts.summarised,
    record,
    ...(pruned === undefined ? {} : { pruned }),
  }
}

/** Tool results that are shown as they are in the record, where they are cut. */
function cutIn(pieces: readonly Piece[], live: readonly Message[]): number {
  const cut = new Set(live.filter(({ role, truncated }) => role === 'tool' && truncated !== undefined))
  return pieces.filter((piece) => 'message' in piece && cut.has(piece.message)).length
}
