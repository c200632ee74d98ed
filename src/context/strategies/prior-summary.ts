import { isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { countOf } from '../../text/count-of.ts'
import { indent } from '../../text/indent.ts'
import type { Covering } from '../covering.ts'
import { rarityIn } from '../rarity.ts'
import { digest, TASK_BELOW } from '../state/digest.ts'
import { askedFirst, firstAndNewest, taskOf, workIn } from '../state/index.ts'
import type { History, Room } from '../strategy.ts'

/** The summary of the messages that are not shown. */
export interface PriorSummary {
  text: string
  /** Indexes on the live path of the messages that the summary covers or quotes. */
  reported: ReadonlySet<number>
  /** The indexes in `reported` that a model's summary covers. */
  byModel?: { model: string; reported: ReadonlySet<number> }
}

/**
 * The part of the summary's room for the words of a model. Notes that are made without a model may take the rest. What
 * they leave goes to the words of the model too.
 */
const MODEL_RATIO = 0.75

/** Returns the tokens that a model may use when the whole summary may have `limit` tokens. */
export function tokensForModel(limit: number): number {
  return Math.max(0, Math.floor(limit * MODEL_RATIO))
}

/** Which messages are shown besides the summary, and which are not. */
export interface Visibility {
  /** Indexes on the live path of the talk that is not shown at all. */
  others: readonly number[]
  /** The messages that are shown uncut. */
  whole: ReadonlySet<Message>
}

/**
 * Summarises what is not shown, in at most `limit` tokens. First comes the task. Then comes the summary of a model, if
 * one covers only messages before the index `before`. Of several such summaries, the one of the longest range counts.
 * Notes on the later messages, made without a model, are at the end. Undefined when there is no room for the task.
 */
export function priorSummary(
  visibility: Visibility,
  history: History,
  before: number,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const task = taskLine(visibility, history)
  const covering = history.summaries.findLast(({ end }) => end <= before)
  const result =
    covering === undefined ? undefined : withModels(covering, visibility, task, history, limit, room)
  return result ?? mechanical(visibility, 0, task, history, limit, room)
}

/**
 * Returns the person's first request, or a note that the request itself is shown below. `history.task` is a request that
 * pruning has moved out of the messages.
 */
function taskLine({ others }: Visibility, { live, said, task }: History): string {
  if (task !== undefined) return task
  const first = askedFirst(said)
  return first === undefined || others.includes(live.indexOf(first)) ? taskOf(said) : TASK_BELOW
}

function withModels(
  { end, said, content, model }: Covering,
  visibility: Visibility,
  task: string,
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const covered = visibility.others.filter((index) => index < end)
  if (covered.length === 0) return undefined
  const besides = mechanical(visibility, end, task, history, limit - tokensForModel(limit), room)
  if (besides === undefined) return undefined
  // The first line of a digest is the task.
  const [first = '', ...noted] = besides.text.split('\n')
  const text = (words: string): string =>
    [
      first,
      `Summary of the first ${countOf(said, 'message')}, by ${model}:`,
      words,
      ...(noted.length === 0 ? [] : ['Noted besides:', ...noted]),
    ].join('\n')
  const words = room.cut(indent(content), limit - room.count(text('')))
  if (words === '') return undefined
  const reported = new Set([...covered, ...besides.reported])
  return { text: text(words), reported, byModel: { model, reported: new Set(covered) } }
}

/**
 * Limits of the quoted words, in tokens and as a part of the room. They are low, because messages that are shown whole
 * say more than quotes.
 */
const MAX_WORD_TOKENS = 400
const WORDS_RATIO = 0.25

/** Makes notes on the talk from the index `from` on, without a model. */
function mechanical(
  { whole }: Visibility,
  from: number,
  task: string,
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const { live } = history
  const indexes = firstAndNewest([...live.keys()].filter((index) => index >= from && isTalk(live[index]!)))
  const said = indexes.map((index) => live[index]!)
  const work = { ...workIn({ ...history, said }), originalTask: task }
  const made = digest(said, work, rarityIn(history.said), {
    limit,
    words: Math.min(MAX_WORD_TOKENS, WORDS_RATIO * room.tokens),
    shown: (message) => whole.has(message),
    count: room.count,
  })
  return made && { text: made.text, reported: new Set(made.reported.map((index) => indexes[index]!)) }
}
