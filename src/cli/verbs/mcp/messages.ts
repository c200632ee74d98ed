import { toolVocabulary } from '../../../clients/all-tools.ts'
import { type Answers, answersIn } from '../../../context/rendering/answers.ts'
import { renderWhole } from '../../../context/rendering/render.ts'
import { CUT_MARKER, cutToTokens } from '../../../context/tokens/cut.ts'
import { estimate, o200k, type Tokenizer } from '../../../context/tokens/index.ts'
import { readConversation } from '../../../conversation/read.ts'
import { CortextError } from '../../../errors.ts'
import { livePath } from '../../../session/live-path.ts'
import { AROUND } from '../../../session/range.ts'
import { safeLine } from '../../../session/resume-block.ts'
import { countOf } from '../../../text/count-of.ts'
import { paste } from '../../../text/paste.ts'
import { wholeCharacters } from '../../../text/whole-characters.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { type Arguments, numberIn, textIn } from './arguments.ts'
import { DATA, ROOM } from './bounded.ts'
import { findMeant } from './meant.ts'
import { type Step, stepsOf, timeOf } from './steps.ts'

/** The most tokens (o200k) and characters that messages may have. */
interface Limits {
  tokens: number
  characters: number
}

/** For all messages of an answer. A model asks for more by the numbers of messages. */
const ANSWER: Limits = { tokens: 4000, characters: ROOM - 1000 }
/** For each message before or after the one that `around` names. */
const NEIGHBOUR: Limits = { tokens: 400, characters: 2400 }
/** In characters. The tokens of a longer range are estimated, because counting them takes too long. */
const MAX_COUNTED = 500_000

/**
 * Returns messages word for word: `from` to `to`, or the message `around` with its neighbours. They have the numbers of
 * `show --at`, and each call comes with its results. The answer also tells the tokens of the whole range, and where to
 * continue if only a part fits. Throws `usage`, `not-found` or `ambiguous`.
 */
export async function showMessages(ws: Workspace, given: Arguments): Promise<string> {
  const { path, guess } = findMeant(ws, textIn(given, 'id'))
  const { messages } = readConversation(ws, path)
  const steps = stepsOf(messages)
  const { from, to, around } = rangeIn(given, steps.length)
  const tokenizer = await o200k()
  const answers = answersIn(messages, toolVocabulary())
  const live = new Set(livePath(messages))
  const parts = steps.slice(from - 1, to).map((step, index) => {
    const number = from + index
    const marks = [
      ...(live.has(step.message) ? [] : ['taken back later']),
      ...(number === around ? ['here'] : []),
    ]
    return partsOf(step, [number, timeOf(step.message), ...marks].join(', '), answers)
  })
  const range = { path, from, to, around, count: steps.length }
  const shown =
    around === undefined ? firstOf(parts, range, tokenizer) : aroundOf(parts, around - from, range, tokenizer)
  return [
    ...guess,
    DATA,
    `Messages ${from} to ${to} of ${steps.length} in ${safeLine(path)}: ${costOf(parts, tokenizer)} tokens (o200k).`,
    ...shown.notes,
    ...shown.parts.flatMap((lines) => ['', ...lines]),
  ].join('\n')
}

interface ShownRange {
  path: string
  /** Numbers of messages. */
  from: number
  to: number
}

/** Throws `usage` for a range without messages, for an `around` that does not exist, and for two ranges at once. */
function rangeIn(given: Arguments, count: number): { from: number; to: number; around?: number } {
  const [from, to, around] = ['from', 'to', 'around'].map((name) => numberIn(given, name))
  const fix = count === 0 ? 'list_conversations' : `give a number from 1 to ${count}`
  if (around === undefined) {
    const range = { from: from ?? 1, to: Math.min(to ?? count, count) }
    if (range.from <= range.to) return range
    const words = `there is nothing from ${range.from} to ${to ?? count}: the conversation has ${countOf(count, 'message')}`
    throw new CortextError('usage', words, { fix })
  }
  if (from !== undefined || to !== undefined)
    throw new CortextError('usage', '"around" is given together with "from" or "to"', {
      fix: 'give "around" alone to see a message with its surroundings, or "from" and "to" for a range',
    })
  if (around > count)
    throw new CortextError(
      'usage',
      `there is no message ${around}: the conversation has ${countOf(count, 'message')}`,
      {
        fix,
      },
    )
  return { from: Math.max(around - AROUND, 1), to: Math.min(around + AROUND, count), around }
}

/** The messages of an answer, each as its text and the results of its calls, and the notes before the messages. */
interface Shown {
  parts: string[][]
  notes: string[]
}

/** The first messages of a range, as many as fit. If not even the first message fits, it is cut. */
function firstOf(parts: readonly string[][], { path, from, to }: ShownRange, tokenizer: Tokenizer): Shown {
  const fitting = countFitting(parts, tokenizer)
  const shown = fitting === 0 ? [cut(parts[0]!, ANSWER, tokenizer)] : parts.slice(0, fitting)
  const last = from + shown.length - 1
  const whole = paste`cortext show ${path} --messages --at ${String(from)}`
  const notes = [
    ...(fitting === 0
      ? [`Message ${from} is cut; the whole: ${safeLine(path)}/.session/messages.jsonl, or ${whole}`]
      : []),
    ...(last < to ? [`Here: ${from} to ${last}. The rest: show_messages from ${last + 1}.`] : []),
  ]
  return { parts: shown, notes }
}

/** A message with its neighbours. Long neighbours are cut, and the message in the middle gets the rest of the room. */
function aroundOf(
  parts: readonly string[][],
  middle: number,
  { from }: ShownRange,
  tokenizer: Tokenizer,
): Shown {
  const left = { ...ANSWER }
  const shown = parts.map((lines, index) => {
    if (index === middle) return lines
    const short = cutToFit(lines, NEIGHBOUR, tokenizer)
    left.tokens -= tokenizer.count(short.join('\n'))
    left.characters -= short.join('\n').length + 2
    return short
  })
  shown[middle] = cutToFit(parts[middle]!, left, tokenizer)
  const cutOnes = shown.flatMap((lines, index) => (lines === parts[index] ? [] : [from + index]))
  const notes =
    cutOnes.length === 0
      ? []
      : [
          `Cut in the middle: ${cutOnes.join(', ')}. To see more of a message, give its number as from and to.`,
        ]
  return { parts: shown, notes }
}

/** Returns the text of a message below its head, and then the text of each result. */
function partsOf({ message, results }: Step, head: string, answers: Answers): string[] {
  const [said = '', ...others] = [message, ...results].map((one) => renderWhole(one, answers))
  return [`── ${head}\n${said}`, ...others]
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
    tokens += tokenizer.count(text, ANSWER.tokens)
    characters += text.length + 2
    if (tokens > ANSWER.tokens || characters > ANSWER.characters) return count
    count += 1
  }
  return count
}

/** Cuts a message that exceeds the limits. Returns the same array if the message fits. */
function cutToFit(parts: string[], limits: Limits, tokenizer: Tokenizer): string[] {
  const text = parts.join('\n')
  const fits = text.length <= limits.characters && tokenizer.count(text, limits.tokens) <= limits.tokens
  return fits ? parts : cut(parts, limits, tokenizer)
}

/** Shortens the message and each of its results in the middle, so that no call is without its result. */
function cut(parts: readonly string[], { tokens, characters }: Limits, tokenizer: Tokenizer): string[] {
  const maxCharacters = Math.floor(characters / parts.length) - 20
  return parts.map((text) => {
    const short = cutToTokens(text, Math.floor(tokens / parts.length), tokenizer)
    if (short.length <= maxCharacters) return short
    const half = Math.floor(maxCharacters / 2)
    return `${wholeCharacters(short.slice(0, half))}${CUT_MARKER}${wholeCharacters(short.slice(-half))}`
  })
}
