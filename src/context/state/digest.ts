import type { Rarity } from '../../search/rarity.ts'
import type { Message } from '../../session/schema.ts'
import { shortLine } from '../../text/line.ts'
import { roughly } from '../tokens/roughly.ts'
import { askedFirst, taskOf, type Work } from './index.ts'
import { latest, mostTelling, type Telling, talkLines, tellingIn } from './telling.ts'

/**
 * Summarises the earlier part of a conversation without a model: the state of the work at the end of that part, and the
 * course of the talk in its own words.
 */

export interface Digest {
  text: string
  /** Places of the messages that a line reports. */
  told: number[]
}

export interface DigestRoom {
  /** The tokens that the digest may have. */
  limit: number
  /** About how many of them may be words of the talk. Words of messages that are `shown` count too, but are omitted. */
  words: number
  shown?: (message: Message) => boolean
  count(text: string, limit?: number): number
}

export const NO_TASK = '(none was stated)'
/** Replaces the task when it is shown below in the person's own words. */
export const TASK_BELOW = '(what the user asks first below)'
const TASK = 1200

/**
 * Includes the words of most worth; undefined when there is not even room for the task. More room never drops words of
 * the talk.
 */
export function digest(
  messages: readonly Message[],
  work: Work,
  rarity: Rarity,
  { limit, words, shown = () => false, count }: DigestRoom,
): Digest | undefined {
  const task = placeOfTask(messages, work)
  const telling = tellingIn(messages, rarity).filter(({ index }) => index !== task)
  // The estimate is high. If a count still finds too many tokens, the lists get less room, and at last the talk does.
  for (let said = words; ; said /= 2) {
    const chosen = said < MIN ? [] : mostTelling(telling, said).filter(({ message }) => !shown(message))
    for (let room = limit * 1.2; room >= MIN; room *= 0.8) {
      const made = compose(messages.length, chosen, headOf(work, room))
      if (count(made.text, limit) <= limit)
        return task === undefined ? made : { ...made, told: [task, ...made.told] }
    }
    if (said < MIN) return undefined
  }
}

const MIN = 16

/** The place of the message with the task, which the first line reports already; undefined if it is not among these. */
function placeOfTask(messages: readonly Message[], { originalTask }: Work): number | undefined {
  const first = askedFirst(messages)
  return first !== undefined && taskOf([first]) === originalTask ? messages.indexOf(first) : undefined
}

function compose(total: number, chosen: readonly Telling[], [task, ...rest]: readonly string[]): Digest {
  const constraints = chosen.filter(isConstraint)
  const decisions = chosen.filter(({ kind }) => kind === 'decision')
  const course = chosen.filter((one) => !constraints.includes(one) && !decisions.includes(one))
  const text = [
    task,
    ...listed('Constraints:', constraints),
    ...listed('Decisions:', decisions),
    ...rest,
    ...(course.length === 0 ? [] : ['Course of the talk:', ...inOrder(course, total)]),
  ].join('\n')
  return { text, told: [...new Set(chosen.map(({ index }) => index))] }
}

/** Whether the words are a rule that the person gave. */
export function isConstraint({ kind, message }: Telling): boolean {
  return kind === 'constraint' && message.role === 'user'
}

function listed(title: string, some: readonly Telling[]): string[] {
  return some.length === 0 ? [] : [title, ...some.map(({ text }) => `- ${text}`)]
}

/** Fewer missing messages between two lines get no mark. */
const TOLD_GAP = 3

function inOrder(chosen: readonly Telling[], total: number): string[] {
  const result: string[] = []
  let next = 0
  for (const { index, text } of talkLines(chosen)) {
    if (index - next >= TOLD_GAP) result.push('…')
    result.push(`- ${text}`)
    next = index + 1
  }
  if (total - next >= TOLD_GAP) result.push('…')
  return result
}

/** The task, then the lists by their worth, each with the latest items that still fit. */
function headOf(work: Work, room: number): string[] {
  const task = shortLine(work.originalTask, Math.min(TASK, Math.max(40, Math.floor(room * 1.5))))
  const result = [`Task: ${task || NO_TASK}`]
  let left = room - roughly(result[0]!)
  const lists: [string, readonly string[]][] = [
    ['In the way:', work.blockers],
    ['Files:', work.modifiedFiles.map(({ path, action }) => `${path} (${action})`)],
  ]
  lists.forEach(([title, items], place) => {
    // Room that one list does not use is left for the next ones.
    const kept = latest(items, left / (lists.length - place))
    if (kept.length === 0) return
    const lines = [title, ...kept.map((item) => `- ${item}`)]
    left -= roughly(lines.join('\n'))
    for (const line of lines) result.push(line)
  })
  return result
}
