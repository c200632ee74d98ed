import { isTalk, livePath, textOf } from '../session/live-path.ts'
import type { Message } from '../session/schema.ts'
import { type BuiltContext, type Candidate, type ContextRequest, callsOf, receiptOf } from './candidate.ts'
import { historyLine } from './receipt.ts'
import { recentTalk } from './recent-talk.ts'
import { answersIn, renderTalk, renderWhole } from './render.ts'

export type { BuiltContext, ContextRequest } from './candidate.ts'

/**
 * What an agent is given on resume. Never more tokens than the budget. Tried in this order, the first that fits:
 * everything (full-history); every text whole with one line a tool call (talk); the first task, the newest turn
 * and as much of the talk before it as fits (recent-talk); a cut of the newest turn (newest-turn).
 */
export function buildContext(request: ContextRequest): BuiltContext {
  const live = livePath(request.messages)
  const said = live.filter(isTalk)
  const strategies = [
    { messages: live, tell: fullHistory },
    { messages: said, tell: talk },
  ]
  for (const { messages, tell } of strategies) {
    if (charactersIn(messages) > request.budget * LONGEST_TOKEN) continue
    const candidate = tell(live, said)
    const partial = receiptOf(request, said, candidate)
    const text = [request.block(historyLine(partial)), ...candidate.pieces].join('\n\n')
    const tokens = request.tokenizer.count(text, request.budget)
    if (tokens <= request.budget) return { text, receipt: { ...partial, tokens } }
  }
  return recentTalk(request, said, answersIn(live))
}

/** Characters of the longest token of o200k, 128 spaces: what is longer than so many of them need not be rendered. */
const LONGEST_TOKEN = 128

function charactersIn(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + textOf(message).length, 0)
}

function fullHistory(live: Message[], said: Message[]): Candidate {
  const answers = answersIn(live)
  return {
    strategy: 'full-history',
    pieces: live.map((message) => renderWhole(message, answers)),
    whole: said.length,
    shortened: 0,
    toolResultsWhole: live.filter(({ role, truncated }) => role === 'tool' && truncated === undefined).length,
    toolCallsInALine: 0,
  }
}

function talk(live: Message[], said: Message[]): Candidate {
  const answers = answersIn(live)
  return {
    strategy: 'talk',
    pieces: said.map((message) => renderTalk(message, answers)),
    whole: said.length,
    shortened: 0,
    toolResultsWhole: 0,
    toolCallsInALine: callsOf(said),
  }
}
