import { cutToTokens } from './cut.ts'
import { climb, type Form, type HistoryRequest, receiptOf, TIGHT, tryAll, view } from './ladder.ts'
import { historyLine, type Receipt } from './receipt.ts'
import { renderWhole, safe } from './render.ts'
import { type Older, olderPart, recentPlusSummary } from './strategies/recent-plus-summary.ts'
import { callsOf, type History, type Piece } from './strategy.ts'

export interface ContextRequest extends HistoryRequest {
  /** The block, given its `History:` line. It is within the budget; the command body is outside. */
  block(history: string): string
}

export interface BuiltContext {
  /** Block, then history; '' where the budget is 0. */
  text: string
  receipt: Receipt
}

/** What joins two pieces. */
const SEAM = 1

/** What an agent is given on resume, as text: never more tokens than the budget, and a receipt of what it holds. */
export function buildContext(request: ContextRequest): BuiltContext {
  const { out, receipt } = climb(request, asText(request))
  return receipt.tokens === 0 ? { text: '', receipt } : { text: out, receipt }
}

/** Each strategy's receipt, by priority; undefined where it does not fit. */
export function compareStrategies(
  request: ContextRequest,
): { strategy: string; receipt: Receipt | undefined }[] {
  return tryAll(request, asText(request))
}

export interface ToSummarise extends Older, Pick<History, 'live' | 'summaries'> {}

/**
 * What a model may be asked to summarise so that the context gets better. Where that is nothing, the strategy that
 * does without: the history is told whole, or there is no room for any summary.
 */
export function toSummarise(request: ContextRequest): ToSummarise | { strategy: string } {
  const form = asText(request)
  const { strategy } = climb(request, form).receipt
  if (strategy !== recentPlusSummary.name) return { strategy }
  const { history, room } = view(request, form)
  const older = olderPart(history, room)
  return older === undefined ? { strategy } : { ...older, live: history.live, summaries: history.summaries }
}

function asText(request: ContextRequest): Form<string> {
  const { budget, tokenizer } = request
  const most = Math.floor(budget / 2)
  const render = (piece: Piece, { answers }: History): string =>
    'note' in piece ? safe(piece.note) : renderWhole(piece.message, answers)
  // What was found to fit is not counted again.
  let fits: { text: string; tokens: number } | undefined
  return {
    frame: (history) => Math.min(tokenizer.count(request.block(longestLine(request, history))), most) + SEAM,
    cost: (piece, history, limit) => tokenizer.count(render(piece, history), limit) + SEAM,
    make(pieces, counts, history) {
      const block = request.block(historyLine(counts))
      const told = pieces.map((piece) => render(piece, history))
      const whole = [block, ...told].join('\n\n')
      const tokens = tokenizer.count(whole, budget)
      fits = { text: whole, tokens }
      if (tokens <= budget) return whole
      // A long title or summary never crowds out the talk.
      const short = budget < TIGHT ? '' : cutToTokens(block, most, tokenizer)
      return [short, ...told].filter((one) => one !== '').join('\n\n')
    },
    tokens: (text, limit) =>
      fits?.text === text && fits.tokens <= budget ? fits.tokens : tokenizer.count(text, limit),
  }
}

function longestLine(request: ContextRequest, history: History): string {
  const all = history.said.length
  const calls = callsOf(history.said)
  const by = history.summaries.toSorted((a, b) => b.model.length - a.model.length)[0]
  const byModel = by === undefined ? {} : { byModel: { model: by.model, messages: Math.ceil(all / 2) } }
  const counts = { ...byModel, whole: all, shortened: 3, summarised: all, toolResultsWhole: 0 }
  const told = { ...counts, pieces: [], toolResultsPruned: calls, toolCallsInALine: calls }
  return historyLine({ ...receiptOf(request, history, told, ''), leftOut: all })
}
