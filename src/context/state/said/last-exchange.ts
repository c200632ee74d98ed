import { isPrompt, textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { isSmallTalk } from './own-words.ts'

/** A prompt and what the agent said and did after it. */
export interface Exchange {
  /** Undefined for what was said before the first prompt. */
  prompt: Message | undefined
  /** The prompt and the messages after it. */
  said: readonly Message[]
  /**
   * How the exchange ended:
   * * `answered`: with words
   * * `broken off`: with a call, after words that are no final answer, such as `I look at the tests.`
   * * `acted`: with a call, and the agent said nothing
   * * `unanswered`: with the prompt
   */
  end: 'answered' | 'broken off' | 'acted' | 'unanswered'
}

/** Splits a talk into its exchanges. */
export function exchangesIn(said: readonly Message[]): Exchange[] {
  const parts: Message[][] = []
  for (const message of said)
    if (isPrompt(message) || parts.length === 0) parts.push([message])
    else parts.at(-1)!.push(message)
  return parts.map((part) => ({ prompt: part.find(isPrompt), said: part, end: endOf(part) }))
}

/**
 * Returns the exchanges without small talk at the end, such as `thanks` and its answer. If there is nothing else, returns
 * all.
 */
export function withoutSmallTalk(exchanges: readonly Exchange[]): readonly Exchange[] {
  const last = exchanges.findLastIndex((one) => !isSmall(one))
  return last === -1 ? exchanges : exchanges.slice(0, last + 1)
}

function isSmall({ prompt, said }: Exchange): boolean {
  return prompt !== undefined && isSmallTalk(prompt) && !said.some(hasCalls)
}

function hasCalls({ tool_calls: calls = [] }: Message): boolean {
  return calls.length > 0
}

function endOf(said: readonly Message[]): Exchange['end'] {
  const answers = said.filter(({ role }) => role === 'assistant')
  const hasWords = answers.some((one) => textOf(one).trim() !== '')
  const last = answers.findLast((one) => hasCalls(one) || textOf(one).trim() !== '')
  if (last === undefined) return 'unanswered'
  if (!hasWords) return 'acted'
  return hasCalls(last) && !last.tool_calls!.some(({ name }) => ENDS_WORK.test(name))
    ? 'broken off'
    : 'answered'
}

/** The tools with which an agent says that its work is done, or answers its team. */
const ENDS_WORK = /^(?:task_complete|complete_task|attempt_completion|SendMessage)$/
