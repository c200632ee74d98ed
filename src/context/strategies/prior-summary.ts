import { isTalk } from '../../session/live-path.ts'
import { unposed } from '../../session/resume-block.ts'
import type { Message } from '../../session/schema.ts'
import type { Covering } from '../covering.ts'
import { rarityIn } from '../rarity.ts'
import { digest, TASK_BELOW } from '../state/digest.ts'
import { askedFirst, lookedAt, taskOf, workIn } from '../state/index.ts'
import type { History, Room } from '../strategy.ts'

/** The summary of the messages that are not shown. */
export interface PriorSummary {
  text: string
  /** The messages that the summary tells of, by their places on the live path. */
  told: ReadonlySet<number>
  /** The messages among these that a model's summary covers. */
  byModel?: { model: string; told: ReadonlySet<number> }
}

/** The part of the summary's room for a model's words. The mechanical notes have the rest. */
const MODEL_RATIO = 0.75

/** How many tokens a model may use when the whole summary has `limit`. */
export function tokensForModel(limit: number): number {
  return Math.max(0, Math.floor(limit * MODEL_RATIO))
}

/** Messages of a history that are shown beside a summary of it. */
export interface Beside {
  /** The places of the live path at which a message is not shown at all. */
  others: readonly number[]
  /** The messages that are shown and not cut. */
  whole: ReadonlySet<Message>
}

/**
 * Summarises what is not shown, in at most `limit` tokens. It holds the task, a model's summary if one ends before the
 * place `before`, and mechanical notes on the messages after that. Undefined when there is no room for the task.
 */
export function priorSummary(
  beside: Beside,
  history: History,
  before: number,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const task = taskLine(beside, history)
  const covering = history.summaries.findLast(({ end }) => end <= before)
  const told = covering === undefined ? undefined : withModels(covering, beside, task, history, limit, room)
  return told ?? mechanical(beside, 0, task, history, limit, room)
}

/** The first request of the person. When it is shown below in their own words, the line only says that. */
function taskLine({ others }: Beside, { live, said, task }: History): string {
  if (task !== undefined) return task
  const first = askedFirst(said)
  return first === undefined || others.includes(live.indexOf(first)) ? taskOf(said) : TASK_BELOW
}

function withModels(
  { end, said, content, model }: Covering,
  beside: Beside,
  task: string,
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const covered = beside.others.filter((place) => place < end)
  if (covered.length === 0) return undefined
  const besides = mechanical(beside, end, task, history, limit - tokensForModel(limit), room)
  if (besides === undefined) return undefined
  const [first = '', ...noted] = besides.text.split('\n')
  const text = (words: string): string =>
    [
      first,
      `Summary of the first ${said} messages, by ${model}:`,
      words,
      ...(noted.length === 0 ? [] : ['Noted besides:', ...noted]),
    ].join('\n')
  const words = room.cut(unposed(content), limit - room.count(text('')))
  if (words === '') return undefined
  const told = new Set([...covered, ...besides.told])
  return { text: text(words), told, byModel: { model, told: new Set(covered) } }
}

/** The most tokens for what was said, and their part of the room: what is shown whole says more than lines for it. */
const WORDS = 400
const WORDS_RATIO = 0.25

/** Notes on the talk from the place `from` on. */
function mechanical(
  { whole }: Beside,
  from: number,
  task: string,
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const { live } = history
  const places = lookedAt([...live.keys()].filter((place) => place >= from && isTalk(live[place]!)))
  const said = places.map((place) => live[place]!)
  const work = { ...workIn({ ...history, said }), originalTask: task }
  const made = digest(said, work, rarityIn(history.said), {
    limit,
    words: Math.min(WORDS, WORDS_RATIO * room.tokens),
    shown: (message) => whole.has(message),
    count: room.count,
  })
  return made && { text: made.text, told: new Set(made.told.map((index) => places[index]!)) }
}
