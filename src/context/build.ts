import type { Message } from '../session/schema.ts'
import { historyLine, type Receipt } from './receipt.ts'
import { renderWhole, safe } from './rendering/render.ts'
import {
  type Form,
  type HistoryRequest,
  receiptOf,
  selectStrategy,
  TIGHT_BUDGET,
  tryAll,
  view,
} from './select-strategy.ts'
import { type Older, olderPart, recentPlusSummary } from './strategies/recent-plus-summary.ts'
import { callsOf, type History, type Piece } from './strategy.ts'
import { cutToTokens } from './tokens/cut.ts'

export interface ContextRequest extends HistoryRequest {
  /**
   * Makes the resume block from its `History:` line and the number of the person's messages. The block counts towards
   * the budget. The instructions of the slash command do not.
   */
  block(history: string, exchanges: number): string
}

export interface BuiltContext {
  /** The resume block, then the history; '' when the budget is 0. */
  text: string
  receipt: Receipt
  /** The history that the context was built from. */
  history: History
}

/**
 * Separates two parts of a context. No part begins with white space or `/`. Before any other character, an o200k token
 * ends at the line break. So the tokens of the parts, each counted with its seam, add up to those of the whole.
 */
const SEAM = '\n\n'

/**
 * Builds the context of a resume as text. It never has more tokens than the budget. The receipt counts its messages.
 */
export function buildContext(request: ContextRequest): BuiltContext {
  const form = asText(request)
  const { out, receipt } = selectStrategy(request, form)
  return { text: receipt.tokens === 0 ? '' : form.write(out), receipt, history: out.history }
}

/** Returns the receipt of each strategy, by priority; undefined for a strategy whose result does not fit. */
export function compareStrategies(
  request: ContextRequest,
): { strategy: string; receipt: Receipt | undefined }[] {
  return tryAll(request, asText(request))
}

export interface ToSummarise extends Older, Pick<History, 'live' | 'summaries'> {}

/**
 * Returns the part of the history that a model should summarise. A summary does not help if all of the history fits, or
 * if there is no room for a summary. In both cases, returns the name of the strategy that is used.
 */
export function toSummarise(request: ContextRequest): ToSummarise | { strategy: string } {
  const form = asText(request)
  const { strategy } = selectStrategy(request, form).receipt
  if (strategy !== recentPlusSummary.name) return { strategy }
  const { history, room } = view(request, form)
  const older = olderPart(history, room)
  return older === undefined ? { strategy } : { ...older, live: history.live, summaries: history.summaries }
}

/** A context in parts. Most contexts that are tried do not fit, so their parts are never joined to one text. */
interface Parts {
  block: string
  pieces: readonly Piece[]
  history: History
}

function asText(request: ContextRequest): Form<Parts> & { write: (parts: Parts) => string } {
  const { budget, tokenizer } = request
  const maxBlock = Math.floor(budget / 2)
  // Several strategies show the same messages and count the same summary many times, so each piece is rendered and
  // counted only once.
  const counted = new Map<Message | string, { text: string; tokens: number }>()
  const cost: Form<Parts>['cost'] = (piece, history, limit = Number.POSITIVE_INFINITY) => {
    const key = keyOf(piece)
    const cached = counted.get(key)
    if (cached !== undefined) return cached.tokens <= limit ? cached.tokens : Number.POSITIVE_INFINITY
    const text = render(piece, history)
    const tokens = tokenizer.count(text + SEAM, limit)
    if (tokens <= limit) counted.set(key, { text, tokens })
    return tokens
  }
  const tokens: Form<Parts>['tokens'] = ({ block, pieces, history }, limit = Number.POSITIVE_INFINITY) => {
    const last = pieces.at(-1)
    if (last === undefined) return tokenizer.count(block, limit)
    let sum = tokenizer.count(render(last, history), limit)
    if (block !== '') sum += tokenizer.count(block + SEAM, limit)
    // The newest pieces are counted first. If not all pieces fit, the next strategies need the counts of the newest
    // ones.
    for (let index = pieces.length - 2; index >= 0 && sum <= limit; index -= 1)
      sum += cost(pieces[index]!, history, limit - sum)
    return sum <= limit ? sum : Number.POSITIVE_INFINITY
  }
  return {
    frame: (history) =>
      Math.min(
        tokenizer.count(request.block(longestLine(request, history), history.said.length) + SEAM),
        maxBlock + 1,
      ),
    cost,
    make(pieces, counts, history) {
      const block = request.block(historyLine(counts), counts.fromUser)
      const whole = { block, pieces, history }
      if (tokens(whole, budget) <= budget) return whole
      // The block is cut when the whole does not fit. So a long title or summary never crowds out the talk.
      return { ...whole, block: budget < TIGHT_BUDGET ? '' : cutToTokens(block, maxBlock, tokenizer) }
    },
    tokens,
    write: ({ block, pieces, history }) => {
      const texts = pieces.map((piece) => counted.get(keyOf(piece))?.text ?? render(piece, history))
      return [block, ...texts].filter((part) => part !== '').join(SEAM)
    },
  }
}

function keyOf(piece: Piece): Message | string {
  return 'note' in piece ? piece.note : piece.message
}

function render(piece: Piece, { answers }: History): string {
  return 'note' in piece ? safe(piece.note) : renderWhole(piece.message, answers)
}

/** Returns a `History:` line that is at least as long as the real one: its counts are the largest possible. */
function longestLine(request: ContextRequest, history: History): string {
  const all = history.said.length
  const calls = callsOf(history.said)
  const by = history.summaries.toSorted((a, b) => b.model.length - a.model.length)[0]
  const byModel = by === undefined ? {} : { byModel: { model: by.model, messages: Math.ceil(all / 2) } }
  const counts = { ...byModel, whole: all, shortened: 3, summarised: all, toolResultsWhole: 0 }
  const largest = { ...counts, pieces: [], toolResultsPruned: calls, toolCallsInALine: calls }
  return historyLine({ ...receiptOf(request, history, largest, ''), toolResultsCut: calls, leftOut: all })
}
