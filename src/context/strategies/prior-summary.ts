import type { Message } from '../../session/schema.ts'
import type { Covering } from '../covering.ts'
import { digest } from '../digest.ts'
import { extractState, taskOf } from '../state.ts'
import type { History, Room } from '../strategy.ts'

/** What stands for the messages that are not shown. */
export interface PriorSummary {
  text: string
  /** Messages that it tells of. */
  told: number
  /** Of these the ones that a model's summary stands for. */
  byModel?: { model: string; messages: number }
}

/** The part of a summary's place that a model's words have; what was noted mechanically has the rest. */
const MODEL_RATIO = 0.75

/** Tokens that a model should use, where the summary has so many. */
export function tokensForModel(limit: number): number {
  return Math.max(0, Math.floor(limit * MODEL_RATIO))
}

/**
 * Of the messages at these places of the live path, in at most `limit` tokens: the task, a model's summary where one
 * ends before `before`, and what is noted mechanically of those behind it. Undefined where there is no room for the task.
 */
export function priorSummary(
  others: readonly number[],
  history: History,
  before: number,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const covering = history.summaries.findLast(({ end }) => end <= before)
  const told = covering === undefined ? undefined : withModels(covering, others, history, limit, room)
  return told ?? mechanical(others, history, limit, room)
}

function withModels(
  { end, said, content, model }: Covering,
  others: readonly number[],
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const between = others.filter((place) => place >= end)
  const messages = others.length - between.length
  if (messages === 0) return undefined
  const besides = mechanical(between, history, limit - tokensForModel(limit), room)
  if (besides === undefined) return undefined
  const [task = '', ...noted] = besides.text.split('\n')
  const text = (words: string): string =>
    [
      task,
      `Summary of the first ${said} messages, by ${model}:`,
      words,
      ...(noted.length === 0 ? [] : ['Noted besides:', ...noted]),
    ].join('\n')
  const words = room.cut(content, limit - room.count(text('')))
  if (words === '') return undefined
  return { text: text(words), told: messages + besides.told, byModel: { model, messages } }
}

/** What the person asked for first stands there also where it stands below in their words. */
function mechanical(
  others: readonly number[],
  history: History,
  limit: number,
  room: Room,
): PriorSummary | undefined {
  const said: Message[] = others.map((place) => history.live[place]!)
  const state = { ...extractState({ ...history, said }), originalTask: history.task ?? taskOf(history.said) }
  return digest(said, state, limit, room.count)
}
