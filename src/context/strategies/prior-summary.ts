import { unposed } from '../../session/posing.ts'
import type { Message } from '../../session/schema.ts'
import type { Covering } from '../covering.ts'
import { rarityIn } from '../rarity/index.ts'
import { digest, TASK_BELOW } from '../state/digest.ts'
import { askedFirst, extractState, lookedAt, taskOf } from '../state/index.ts'
import type { History, Room } from '../strategy.ts'

/** The summary that stands for the messages that are not shown. */
export interface PriorSummary {
  text: string
  /** The messages that the summary tells of, by their places on the live path. */
  told: ReadonlySet<number>
  /** Which of these messages a model's summary stands for. */
  byModel?: { model: string; told: ReadonlySet<number> }
}

/** The part of the summary's room for a model's words. What is noted mechanically has the rest. */
const MODEL_RATIO = 0.75

/** How many tokens a model may use when the whole summary has `limit`. */
export function tokensForModel(limit: number): number {
  return Math.max(0, Math.floor(limit * MODEL_RATIO))
}

/**
 * Summarises the messages at these places of the live path, in at most `limit` tokens. It holds the task, a model's
 * summary if one ends before the place `before`, and mechanical notes on the messages after that. Undefined when there
 * is no room for the task.
 */
export function priorSummary(
  others: readonly number[],
  history: History,
  before: number,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const task = taskLine(others, history)
  const covering = history.summaries.findLast(({ end }) => end <= before)
  const told = covering === undefined ? undefined : withModels(covering, others, task, history, limit, room)
  return told ?? mechanical(others, task, history, limit, room)
}

/** What the person asked for first. When it is shown below in their own words, the line only says that. */
function taskLine(others: readonly number[], { live, said, task }: History): string {
  if (task !== undefined) return task
  const first = askedFirst(said)
  return first === undefined || others.includes(live.indexOf(first)) ? taskOf(said) : TASK_BELOW
}

function withModels(
  { end, said, content, model }: Covering,
  others: readonly number[],
  task: string,
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const covered = others.filter((place) => place < end)
  if (covered.length === 0) return undefined
  const between = others.slice(covered.length)
  const besides = mechanical(between, task, history, limit - tokensForModel(limit), room)
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

/** What is shown whole says more than lines that stand for it. */
const WORDS = 300

function mechanical(
  others: readonly number[],
  task: string,
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const looked = lookedAt(others)
  const said: Message[] = looked.map((place) => history.live[place]!)
  const state = { ...extractState({ ...history, said }), originalTask: task }
  const made = digest(said, state, rarityIn(history.said), { limit, words: WORDS, count: room.count })
  return made && { text: made.text, told: new Set(made.told.map((index) => looked[index]!)) }
}
