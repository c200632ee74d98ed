import { isPrompt, textOf } from '../../../session/live-path.ts'
import type { Message } from '../../../session/schema.ts'
import { cutAtWord, oneLine } from '../../../text/line.ts'
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
   * * `broken off`: with a call, after words that are no final answer, such as `I look at the tests.`, or by the person
   * * `acted`: with a call, and the agent said nothing
   * * `unanswered`: with the prompt
   */
  end: 'answered' | 'broken off' | 'acted' | 'unanswered'
}

/**
 * Splits an exchange before the first note of a program, such as the end of a task in the background, that reached the
 * agent after its answer: `[answer, rest]`. What the agent says after the note is no answer to the person. `live`: the
 * messages with such notes. Undefined if there is no such note.
 */
export function splitByNote(
  { prompt, said }: Exchange,
  live: readonly Message[],
): [Exchange, Exchange] | undefined {
  const own = new Set(said)
  let answer: Message | undefined
  for (const message of live.slice(prompt === undefined ? 0 : live.indexOf(prompt))) {
    if (isNote(message) && answer !== undefined && !hasCalls(answer)) break
    if (
      own.has(message) &&
      message.role === 'assistant' &&
      (hasCalls(message) || textOf(message).trim() !== '')
    )
      answer = message
  }
  const end = answer === undefined ? -1 : said.indexOf(answer) + 1
  const part = (own: readonly Message[]): Exchange => ({ prompt, said: own, end: endOf(own) })
  const [before, after] = [part(said.slice(0, end)), part(said.slice(end))]
  return before.end === 'answered' ? [before, after] : undefined
}

/**
 * What the agent did last, in its own words: the text of a message, or what a call says of itself; '' when nothing does, or
 * when the person interrupted the agent. `interrupted`: see `History`.
 */
export function stepOf({ said }: Exchange, interrupted: ReadonlySet<Message>): string {
  if (said.some((one) => interrupted.has(one))) return ''
  for (const message of said.toReversed()) {
    const text = message.role === 'assistant' ? textOf(message).slice(0, 1000) : ''
    // A frame around a heading says nothing.
    const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line))
    const calls = (message.tool_calls ?? []).map((call) => Object(call.arguments) as Record<string, unknown>)
    const named = calls.findLast(({ description, command }) => description ?? command)
    const words = [lines.join(' '), named?.description, named?.command].find(
      (one) => typeof one === 'string' && /^\s*[^\s{]/.test(one),
    )
    if (words !== undefined) return cutAtWord(oneLine((words as string).slice(0, 1000)), MAX_STEP)
  }
  return ''
}

const MAX_STEP = 60

/** Whether a program, and no call, wrote the message: the end of a task in the background, an event of a CI monitor. */
function isNote({ role, tool_call_id: call, event }: Message): boolean {
  return role === 'tool' && call === undefined && event === undefined
}

/** Splits a talk into its exchanges. `interrupted`: see `History`. */
export function exchangesIn(
  said: readonly Message[],
  interrupted: ReadonlySet<Message> = new Set(),
): Exchange[] {
  const parts: Message[][] = []
  for (const message of said)
    if (isPrompt(message) || parts.length === 0) parts.push([message])
    else parts.at(-1)!.push(message)
  return parts.map((part) => ({ prompt: part.find(isPrompt), said: part, end: endOf(part, interrupted) }))
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

function endOf(said: readonly Message[], interrupted?: ReadonlySet<Message>): Exchange['end'] {
  const answers = said.filter(({ role }) => role === 'assistant')
  const isCall = callsAsText(answers)
  const hasWords = answers.some((one) => textOf(one).trim() !== '' && !isCall(one))
  const last = answers.findLast((one) => hasCalls(one) || textOf(one).trim() !== '')
  if (last === undefined) return 'unanswered'
  if (!hasWords) return 'acted'
  return isCall(last) ||
    interrupted?.has(last) === true ||
    (hasCalls(last) && !last.tool_calls!.some(({ name }) => ENDS_WORK.test(name)))
    ? 'broken off'
    : 'answered'
}

/**
 * Returns a function that tells whether a text is the arguments of a call that the model failed to make: JSON with the
 * names of arguments that a call of this exchange has.
 */
function callsAsText(answers: readonly Message[]): (message: Message) => boolean {
  const names = answers.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => namesIn(call.arguments)))
  return (message) => {
    const text = textOf(message).trim()
    if (!text.startsWith('{') || text.length > MAX_ARGUMENTS) return false
    const own = namesIn(text)
    return own.length > 0 && names.some((known) => own.every((name) => known.includes(name)))
  }
}

const MAX_ARGUMENTS = 10_000

function namesIn(json: unknown): string[] {
  try {
    return Object.keys(Object(typeof json === 'string' ? JSON.parse(json) : json))
  } catch {
    return []
  }
}

/** The tools with which an agent says that its work is done, or answers its team. */
const ENDS_WORK = /^(?:task_complete|complete_task|attempt_completion|SendMessage)$/
