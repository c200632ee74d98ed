import { isTalk, livePath } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { cutToTokens } from './cut.ts'
import { historyLine, type Receipt } from './receipt.ts'
import { renderTalk, renderWhole, resultsByCall } from './render.ts'
import type { Tokenizer } from './tokens.ts'

export interface ContextRequest {
  /** The conversation in reading order, events included. */
  messages: readonly Message[]
  /** Tokens that block and history may have together (the command body is outside). */
  budget: number
  tokenizer: Tokenizer
  /** The block, given its `History:` line. */
  block(history: string): string
  /** Workspace-relative path of messages.jsonl, where the whole history is. */
  record: string
}

export interface BuiltContext {
  /** Block, then history; '' where the budget is 0. */
  text: string
  receipt: Receipt
}

/**
 * What an agent is given on resume. Never more tokens than the budget. Tried in this order, the first that fits:
 * everything (full-history); every text whole with one line a tool call (talk); the first task and the newest
 * turns of the talk, the gap named (recent-talk); a cut of the newest turn (newest-turn).
 */
export function buildContext(request: ContextRequest): BuiltContext {
  const live = livePath(request.messages)
  for (const candidate of [fullHistory(live), talk(live)]) {
    if (lengthOf(candidate) > request.budget * MOST_CHARACTERS_PER_TOKEN) continue
    const built = assemble(request, live, candidate)
    if (built.receipt.tokens <= request.budget) return built
  }
  return recentTalk(request, live) ?? newestTurn(request, live)
}

/** Beyond this a text of real conversation is over the budget for certain, and not worth counting. */
const MOST_CHARACTERS_PER_TOKEN = 12

function lengthOf(candidate: Candidate): number {
  return candidate.pieces.reduce((sum, piece) => sum + piece.length, 0)
}

interface Candidate {
  strategy: string
  pieces: string[]
  whole: number
  shortened: number
  toolResultsWhole: number
  toolResultsInALine: number
}

function assemble(request: ContextRequest, live: Message[], candidate: Candidate): BuiltContext {
  const said = live.filter(isTalk)
  const { pieces, ...counts } = candidate
  const partial = {
    ...counts,
    budget: request.budget,
    messages: said.length,
    fromUser: said.filter((message) => message.role === 'user').length,
    leftOut: said.length - candidate.whole - candidate.shortened,
    record: request.record,
  }
  const text = [request.block(historyLine(partial)), ...pieces].join('\n\n')
  return { text, receipt: { ...partial, tokens: request.tokenizer.count(text) } }
}

function fullHistory(live: Message[]): Candidate {
  return {
    strategy: 'full-history',
    pieces: live.map(renderWhole),
    whole: live.filter(isTalk).length,
    shortened: 0,
    toolResultsWhole: live.filter((message) => message.role === 'tool').length,
    toolResultsInALine: 0,
  }
}

function talk(live: Message[]): Candidate {
  const results = resultsByCall(live)
  const said = live.filter(isTalk)
  return {
    strategy: 'talk',
    pieces: said.map((message) => renderTalk(message, results)),
    whole: said.length,
    shortened: 0,
    toolResultsWhole: 0,
    toolResultsInALine: live.filter((message) => message.role === 'tool').length,
  }
}

/** The first task, then as many of the newest messages as fit; undefined when not even the newest turn does. */
function recentTalk(request: ContextRequest, live: Message[]): BuiltContext | undefined {
  const said = live.filter(isTalk)
  const results = resultsByCall(live)
  const pieces = said.map((message) => renderTalk(message, results))
  const newestTurnAt = said.findLastIndex((message) => message.role === 'user')
  const attempt = (start: number): BuiltContext => {
    const kept = said.slice(start)
    const inALine = kept.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0)
    return assemble(request, live, {
      strategy: 'recent-talk',
      pieces: [
        ...(start > 0 ? [pieces[0]!] : []),
        ...(start > 1 ? [gap(start - 1, request.record)] : []),
        ...pieces.slice(start),
      ],
      whole: kept.length + (start > 0 ? 1 : 0),
      shortened: 0,
      toolResultsWhole: 0,
      toolResultsInALine: inALine,
    })
  }
  // Counted once a piece from the newest back; the seams between pieces may add tokens, so the sum is only a guess
  // that the count of the assembled text confirms or corrects.
  let start = said.length
  let sum = 0
  while (start > 0 && sum <= request.budget) {
    start -= 1
    sum += request.tokenizer.count(pieces[start]!)
  }
  const latestStart = Math.max(newestTurnAt, 0)
  for (start = Math.min(start, latestStart); start <= latestStart; start += 1) {
    const built = attempt(start)
    if (built.receipt.tokens <= request.budget) return built
  }
  return undefined
}

/** The block with a cut of the first task and of the newest turn; where even the block is too much, only a cut of the turn. */
function newestTurn(request: ContextRequest, live: Message[]): BuiltContext {
  const said = live.filter(isTalk)
  const results = resultsByCall(live)
  const start = Math.max(
    said.findLastIndex((message) => message.role === 'user'),
    0,
  )
  const turn = said.slice(start)
  const turnText = turn.map((message) => renderTalk(message, results)).join('\n\n')
  const candidate = (pieces: string[], shortened: number): Candidate => ({
    strategy: 'newest-turn',
    pieces,
    whole: 0,
    shortened,
    toolResultsWhole: 0,
    toolResultsInALine: 0,
  })
  const shortened = turn.length + (start > 0 ? 1 : 0)
  const frame = assemble(request, live, candidate([], shortened))
  const room = request.budget - frame.receipt.tokens
  if (room >= MINIMUM_ROOM) {
    const first =
      start > 0 ? cutToTokens(renderTalk(said[0]!, results), Math.floor(room / 4), request.tokenizer) : ''
    const left = room - request.tokenizer.count(first) - SLACK
    const pieces = [
      ...(first === '' ? [] : [first, gap(start - 1, request.record)]),
      cutToTokens(turnText, left - (first === '' ? 0 : GAP_TOKENS), request.tokenizer),
    ]
    const built = assemble(request, live, candidate(pieces, shortened))
    if (built.receipt.tokens <= request.budget) return built
  }
  const text = cutToTokens(turnText, request.budget, request.tokenizer)
  return { text, receipt: { ...frame.receipt, tokens: request.tokenizer.count(text) } }
}

/** Below this many tokens beside the block nothing useful of a turn fits. */
const MINIMUM_ROOM = 120
/** Joining pieces may cost a token or two at each seam. */
const SLACK = 8
const GAP_TOKENS = 80

function gap(messages: number, record: string): string {
  return `[… ${messages} messages are left out here; they are in ${record} …]`
}
