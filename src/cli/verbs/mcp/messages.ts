import { toolVocabulary } from '../../../clients/tool-vocabulary.ts'
import { type Answers, answersIn, renderWhole } from '../../../context/render.ts'
import { cutToTokens } from '../../../context/tokens/cut.ts'
import { estimate, o200k, type Tokenizer } from '../../../context/tokens/index.ts'
import { readConversation } from '../../../conversation/read.ts'
import { CortextError } from '../../../errors.ts'
import { isTalk, livePath } from '../../../session/live-path.ts'
import { safeLine } from '../../../session/resume-block.ts'
import type { Message } from '../../../session/schema.ts'
import { paste } from '../../../text/paste.ts'
import { wholeCharacters } from '../../../text/whole-characters.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { type Arguments, numberIn, textIn } from './arguments.ts'
import { DATA, ROOM } from './bounded.ts'
import { findMeant } from './meant.ts'

/** An answer has at most this many tokens (o200k) of messages. A model asks for more by their numbers. */
const MAX_TOKENS = 4000
const MAX_TEXT = ROOM - 1000
/** In characters. The tokens of a longer range are estimated, because counting them takes too long. */
const MAX_COUNTED = 500_000

/**
 * Returns the messages `from` … `to` word for word, numbered as `show --at` counts, each call with its results. Reports
 * the tokens of the whole range, and where to continue if only a part fits. Throws `usage`, `not-found` or `ambiguous`.
 */
export async function showMessages(ws: Workspace, given: Arguments): Promise<string> {
  const { path, guess } = findMeant(ws, textIn(given, 'id'))
  const { messages } = readConversation(ws, path)
  const steps = stepsOf(messages)
  const from = numberIn(given, 'from') ?? 1
  const to = Math.min(numberIn(given, 'to') ?? steps.length, steps.length)
  if (from > to)
    throw new CortextError(
      'usage',
      `there is nothing from ${from} to ${to}: the conversation has ${steps.length} messages`,
    )
  const tokenizer = await o200k()
  const answers = answersIn(messages, toolVocabulary())
  const live = new Set(livePath(messages))
  const parts = steps.slice(from - 1, to).map((step, index) => partsOf(step, from + index, answers, live))
  const fitting = countFitting(parts, tokenizer)
  const shown = fitting === 0 ? [cut(parts[0]!, tokenizer)] : parts.slice(0, fitting)
  const last = from + shown.length - 1
  const whole = paste`cortext show ${path} --messages --at ${String(from)}`
  return [
    ...guess,
    DATA,
    `Messages ${from} to ${to} of ${steps.length} in ${safeLine(path)}: ${costOf(parts, tokenizer)} tokens (o200k).`,
    ...(fitting === 0
      ? [`Message ${from} is cut; the whole: ${safeLine(path)}/.session/messages.jsonl, or ${whole}`]
      : []),
    ...(last < to ? [`Here: ${from} to ${last}. The rest: show_messages from ${last + 1}.`] : []),
    ...shown.flatMap((lines) => ['', ...lines]),
  ].join('\n')
}

/**
 * A message of the person or the agent, and the results of its calls, wherever these are in the record. A result
 * without a call belongs to the message before it.
 */
interface Step {
  message: Message
  results: Message[]
}

function stepsOf(messages: readonly Message[]): Step[] {
  const steps = messages.filter(isTalk).map((message): Step => ({ message, results: [] }))
  const byCall = new Map(
    steps.flatMap((step) =>
      (step.message.tool_calls ?? []).map(({ id }) => [callKey(step.message, id), step]),
    ),
  )
  let before: Step | undefined
  let next = 0
  for (const message of messages) {
    if (isTalk(message)) before = steps[next++]
    else if (message.role === 'tool' && message.event === undefined)
      (byCall.get(callKey(message, message.tool_call_id)) ?? before)?.results.push(message)
  }
  return steps
}

/** Ids of calls are unique only within a native session. */
function callKey({ native_session: session }: Message, id: string | undefined): string {
  return `${session} ${id}`
}

/** Returns the message with its head, and then each result. */
function partsOf(
  { message, results }: Step,
  number: number,
  answers: Answers,
  live: ReadonlySet<Message>,
): string[] {
  const taken = live.has(message) ? '' : ', taken back later'
  const head = `── ${number}, ${safeLine(message.timestamp)}${taken}`
  const [said = '', ...others] = [message, ...results].map((one) => escapeHeads(renderWhole(one, answers)))
  return [`${head}\n${said}`, ...others]
}

/** A recorded text must not look like the head of another message. */
function escapeHeads(text: string): string {
  return text.replace(/(^|[\n\r\v\f\u0085\u2028\u2029])(?=── )/g, '$1\\')
}

function costOf(parts: readonly string[][], tokenizer: Tokenizer): string {
  const text = parts.map((lines) => lines.join('\n')).join('\n\n')
  return text.length > MAX_COUNTED ? `about ${estimate.count(text)}` : String(tokenizer.count(text))
}

/** The number of messages that fit into an answer; 0 if even the first does not. */
function countFitting(parts: readonly string[][], tokenizer: Tokenizer): number {
  let [tokens, characters, count] = [0, 0, 0]
  for (const lines of parts) {
    const text = lines.join('\n')
    tokens += tokenizer.count(text, MAX_TOKENS)
    characters += text.length + 2
    if (tokens > MAX_TOKENS || characters > MAX_TEXT) return count
    count += 1
  }
  return count
}

/** Shortens the message and each of its results in the middle, so that no call is without its result. */
function cut(parts: readonly string[], tokenizer: Tokenizer): string[] {
  const maxCharacters = Math.floor(MAX_TEXT / parts.length) - 20
  return parts.map((text) => {
    const short = cutToTokens(text, Math.floor(MAX_TOKENS / parts.length), tokenizer)
    if (short.length <= maxCharacters) return short
    const half = Math.floor(maxCharacters / 2)
    return `${wholeCharacters(short.slice(0, half))}\n[… cut …]\n${wholeCharacters(short.slice(-half))}`
  })
}
