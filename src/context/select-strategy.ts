import { isTalk, livePath, textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { withoutStops } from '../session/stopping/without-stops.ts'
import type { SummaryFile } from '../session/summary-file.ts'
import type { ToolVocabulary } from '../session/tool-use.ts'
import { coveringsOf } from './covering.ts'
import { namesNote, roomForNames } from './names.ts'
import { newestTurn } from './newest-turn.ts'
import { prunedNote, prunedPart, prunedTask } from './pruned-part.ts'
import type { Receipt } from './receipt.ts'
import { answersIn } from './rendering/answers.ts'
import { standingNote } from './state/tool-state.ts'
import { aboutQuestion } from './strategies/about-question.ts'
import { fullHistory } from './strategies/full-history.ts'
import { STRATEGIES } from './strategies/index.ts'
import type { History, Piece, Room, Strategy, StrategyResult } from './strategy.ts'
import { cutToTokens } from './tokens/cut.ts'
import { LONGEST_TOKEN, leastTokens, type Tokenizer } from './tokens/index.ts'

export interface HistoryRequest {
  /** The conversation in reading order, events included. */
  messages: readonly Message[]
  /** The most tokens that the result may have. */
  budget: number
  tokenizer: Tokenizer
  /** The workspace-relative path of messages.jsonl. */
  record: string
  /** The name of the project: the name of its folder. */
  project: string
  /** The tools of each client, and what they do. */
  tools: ToolVocabulary
  /** The strategy to try first. When its result does not fit, the strategies after it are tried. */
  strategy?: string | undefined
  /** The question or the words that the context is about. */
  about?: Question | undefined
  /**
   * Summaries of ranges of the conversation, written by a model. A summary is not used if its messages have changed
   * since.
   */
  summaries?: readonly SummaryFile[]
}

interface Question {
  question: string
  /** Rates how well texts answer the question; 0 for not at all. */
  relevance(texts: readonly string[], question: string): number[]
}

/** Output form of a history: a text after a resume block, or an array of messages. */
export interface Form<Out> {
  /** Upper bound for the tokens of what is around the pieces, such as the resume block. */
  frame(history: History): number
  /** Upper bound for the tokens that a piece adds; Infinity beyond `limit`. */
  cost(piece: Piece, history: History, limit?: number): number
  make(pieces: readonly Piece[], receipt: Omit<Receipt, 'tokens'>, history: History): Out
  /** The exact number of tokens; Infinity beyond `limit`. */
  tokens(out: Out, limit?: number): number
}

/**
 * A context with a smaller budget has no notes before the history. If not every text of person and agent fits, it shows
 * only the newest turn, cut.
 */
export const TIGHT_BUDGET = 400

/**
 * Tries the strategies by priority. It skips strategies that need a larger budget, and uses the first one whose result
 * fits. When no result fits, it uses the newest turn, cut. The output never has more tokens than the budget. With a
 * budget of 0, the output is empty.
 */
export function selectStrategy<Out>(
  request: HistoryRequest,
  form: Form<Out>,
): { out: Out; receipt: Receipt } {
  const history = historyOf(request)
  const isTried = filterByBudget(request, history)
  for (const strategy of history.about === undefined ? strategiesFrom(request.strategy) : STRATEGIES_ABOUT) {
    if (!isTried(strategy)) continue
    const built = attempt(request, form, history, strategy)
    if (built !== undefined) return built
  }
  const last = { name: 'newest-turn', fitsItself: true, leavesRoom: true as const, show: newestTurn }
  const built = attempt(request, form, history, last)
  if (built !== undefined) return built
  const nothing = receiptOf(request, history, EMPTY_RESULT, last.name)
  return { out: form.make([], nothing, history), receipt: { ...nothing, tokens: 0 } }
}

/** Tries each strategy by itself. The receipt is undefined when the result does not fit or the budget is too small. */
export function tryAll<Out>(
  request: HistoryRequest,
  form: Form<Out>,
): { strategy: string; receipt: Receipt | undefined }[] {
  const history = historyOf(request)
  const isTried = filterByBudget(request, history)
  return STRATEGIES.map((strategy) => ({
    strategy: strategy.name,
    receipt: isTried(strategy) ? attempt(request, form, history, strategy)?.receipt : undefined,
  }))
}

/**
 * Returns the history, and the room of a strategy. The room includes the tokens for the list of names. With it, a
 * caller finds out what the strategy would leave out.
 */
export function view<Out>(request: HistoryRequest, form: Form<Out>): { history: History; room: Room } {
  const history = historyOf(request)
  return { history, room: roomOf(request, form, history, spaceFor(request, form, history, true).tokens) }
}

/** The strategies for a context about a question, in the order in which they are tried. */
const STRATEGIES_ABOUT: readonly Strategy[] = [
  fullHistory,
  { name: 'about-question', priority: 0, minTokens: 800, fitsItself: true, show: aboutQuestion },
  ...STRATEGIES.filter((one) => one !== fullHistory),
]

function strategiesFrom(first: string | undefined): readonly Strategy[] {
  const index = STRATEGIES.findIndex(({ name }) => name === first)
  return STRATEGIES.slice(Math.max(index, 0))
}

export function historyOf({
  messages,
  project,
  tools,
  about,
  summaries = [],
}: Pick<HistoryRequest, 'messages' | 'project' | 'tools' | 'about' | 'summaries'>): History {
  const live = withoutStops(livePath(messages))
  return {
    ...(about === undefined
      ? {}
      : { about: { question: about.question, scores: about.relevance(live.map(textOf), about.question) } }),
    live,
    said: live.filter(isTalk),
    interrupted: interruptedIn(messages, live),
    answers: answersIn(live, tools),
    task: prunedTask(messages),
    project,
    summaries: coveringsOf(live, summaries),
  }
}

function interruptedIn(messages: readonly Message[], live: readonly Message[]): Set<Message> {
  const shown = new Set(live)
  const interrupted = new Set<Message>()
  let last: Message | undefined
  for (const message of messages) {
    if (shown.has(message)) last = message
    else if (message.event === 'interrupted' && last !== undefined) interrupted.add(last)
  }
  return interrupted
}

function attempt<Out>(
  request: HistoryRequest,
  form: Form<Out>,
  history: History,
  strategy: Pick<Strategy, 'name' | 'fitsItself' | 'leavesRoom' | 'show'>,
): { out: Out; receipt: Receipt } | undefined {
  const { budget, tokenizer } = request
  const listsNames = strategy.leavesRoom !== true && history.about === undefined
  const space = spaceFor(request, form, history, strategy.leavesRoom !== true)
  const fill = (tokens: number): { out: Out; receipt: Receipt } | undefined => {
    const forNames = listsNames ? roomForNames(history, tokens, tokenizer) : 0
    const room = roomOf(request, form, history, tokens - forNames)
    const result = tokens > 0 ? strategy.show(history, room) : undefined
    if (result === undefined || tooLong(result.pieces, budget)) return undefined
    const names = namesNote(history, [...space.before, ...result.pieces], forNames, tokenizer)
    const receipt = receiptOf(request, history, result, strategy.name)
    const out = form.make([...space.before, ...names, ...result.pieces], receipt, history)
    const used = form.tokens(out, strategy.fitsItself ? undefined : budget)
    return { out, receipt: { ...receipt, tokens: used } }
  }
  let { tokens } = space
  let built = fill(tokens)
  // The strategy gets less room while its result is over the budget.
  while (built !== undefined && built.receipt.tokens > budget) {
    if (!strategy.fitsItself) return undefined
    tokens -= built.receipt.tokens - budget
    built = fill(tokens)
  }
  if (built === undefined || strategy.leavesRoom === true) return built
  // The strategy gets more room if its result leaves many tokens unused.
  for (const part of LEFT_PARTS) {
    const left: number = budget - built.receipt.tokens
    if (left < budget * (1 - WELL_FILLED)) break
    const fuller = fill(tokens + Math.floor(left * part))
    if (fuller === undefined || fuller.receipt.tokens > budget) continue
    tokens += Math.floor(left * part)
    if (fuller.receipt.tokens > built.receipt.tokens) built = fuller
  }
  return built
}

const LEFT_PARTS = [0.9, 0.9, 0.5]
/** No larger result is tried when a result uses this part of the budget. */
const WELL_FILLED = 0.97

/**
 * Returns the notes before the pieces of the strategy, and the tokens that are left for the strategy. With `standing`,
 * one note is on the state of the work. A strategy that shows everything does not need this note.
 */
function spaceFor<Out>(
  request: HistoryRequest,
  form: Form<Out>,
  history: History,
  standing: boolean,
): { before: Piece[]; tokens: number } {
  if (request.budget < TIGHT_BUDGET) return { before: [], tokens: request.budget }
  const framed = request.budget - form.frame(history)
  const state = standing ? standingNote(history, framed, request.tokenizer) : ''
  const before = [...notesBefore(request, form, history, framed), ...(state === '' ? [] : [{ note: state }])]
  return { before, tokens: framed - before.reduce((sum, piece) => sum + form.cost(piece, history), 0) }
}

/**
 * Returns a note with the summaries of pruned lines, cut to their part of the room; no note when there are no
 * summaries.
 */
function notesBefore<Out>(
  { messages, tokenizer }: HistoryRequest,
  form: Form<Out>,
  history: History,
  tokens: number,
): Piece[] {
  const note = prunedNote(messages)
  if (note === '') return []
  const maxTokens = Math.floor(tokens * PRUNED_RATIO)
  const cut = cutToTokens(note, maxTokens - form.cost({ note: '' }, history), tokenizer)
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
    cut: (text, maxTokens) => cutToTokens(text, maxTokens, tokenizer),
  }
}

/**
 * Whether pieces have so many characters that they must have more than `tokens` tokens. This check is quick, because it
 * renders nothing.
 */
function tooLong(pieces: readonly Piece[], tokens: number): boolean {
  return pieces.reduce((sum, piece) => sum + charactersIn(piece), 0) > tokens * LONGEST_TOKEN
}

/**
 * Returns a function that says whether a strategy is worth trying with this budget. A lower bound for the tokens of all
 * talk is computed once, without a tokenizer.
 */
function filterByBudget({ budget }: HistoryRequest, { said }: History): (strategy: Strategy) => boolean {
  let left = budget
  for (const message of said) {
    const text = textOf(message)
    left -= Math.max(leastTokens(text), text.length / LONGEST_TOKEN)
    if (left < 0) break
  }
  return ({ minTokens, showsTalk }) => budget >= minTokens && (left >= 0 || showsTalk !== true)
}

/** Returns a lower bound for the characters of a piece. */
function charactersIn(piece: Piece): number {
  if ('note' in piece) return piece.note.length
  let sum = textOf(piece.message).length
  for (const { arguments: given } of piece.message.tool_calls ?? [])
    for (const value of typeof given === 'object' ? Object.values(given ?? {}) : [given])
      if (typeof value === 'string') sum += value.length
  return sum
}

const EMPTY_RESULT: StrategyResult = {
  pieces: [],
  whole: 0,
  shortened: 0,
  summarised: 0,
  toolResultsWhole: 0,
  toolResultsPruned: 0,
  toolCallsInALine: 0,
}

/**
 * Returns the receipt without its tokens. Their number depends on the `History:` line, and that line is made from this
 * receipt.
 */
export function receiptOf(
  { budget, record, messages }: Pick<HistoryRequest, 'budget' | 'record' | 'messages'>,
  { said, live }: History,
  { pieces, ...counts }: StrategyResult,
  strategy: string,
): Omit<Receipt, 'tokens'> {
  const pruned = prunedPart(messages, record)
  return {
    strategy,
    budget,
    ...counts,
    toolResultsCut: countCutInRecord(pieces, live),
    messages: said.length,
    fromUser: said.filter((message) => message.role === 'user').length,
    leftOut: said.length - counts.whole - counts.shortened - counts.summarised,
    record,
    ...(pruned === undefined ? {} : { pruned }),
  }
}

/**
 * Returns the number of tool results that are shown as in the record, but that the record has only as head and tail.
 */
function countCutInRecord(pieces: readonly Piece[], live: readonly Message[]): number {
  const cut = new Set(live.filter(({ role, truncated }) => role === 'tool' && truncated !== undefined))
  return pieces.filter((piece) => 'message' in piece && cut.has(piece.message)).length
}
