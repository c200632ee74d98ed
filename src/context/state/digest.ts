import type { Rarity } from '../../search/rarity.ts'
import type { Message } from '../../session/schema.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { roughly } from '../tokens/roughly.ts'
import { askedFirst, taskOf, type Work } from './index.ts'
import { type Candidate, candidatesIn, chooseByWorth, latest, talkLines } from './telling.ts'

/**
 * Summarises the earlier part of a conversation without a model: the state of the work at the end of that part, and
 * quotes from the talk.
 */

export interface Digest {
  text: string
  /** Indexes of the messages that a line of the text reports. */
  reported: number[]
}

export interface DigestRoom {
  /** The tokens that the digest may have. */
  limit: number
  /**
   * Estimated tokens that words of the talk may take. Words of `shown` messages are left out, but they count towards
   * this limit.
   */
  words: number
  shown?: (message: Message) => boolean
  count(text: string, limit?: number): number
}

export const NO_TASK = '(none was stated)'
/** Replaces the task when the person's first request is shown below. */
export const TASK_BELOW = '(what the user asks first below)'
const TASK_LENGTH = 1200

/**
 * Makes a digest: the task, the words of the talk that are worth most, and the newest files and blockers. Undefined
 * when there is no room for the task. More room never drops words of the talk.
 */
export function digest(
  messages: readonly Message[],
  work: Work,
  rarity: Rarity,
  { limit, words, shown = () => false, count }: DigestRoom,
): Digest | undefined {
  const task = indexOfTask(messages, work)
  const candidates = candidatesIn(messages, rarity).filter(({ index }) => index !== task)
  // The estimates are high. If the counted tokens are still too many, first the lists get less room, then the talk.
  for (let said = words; ; said /= 2) {
    const chosen =
      said < MIN_TOKENS ? [] : chooseByWorth(candidates, said).filter(({ message }) => !shown(message))
    for (let room = limit * 1.2; room >= MIN_TOKENS; room *= 0.8) {
      const made = compose(messages.length, chosen, headOf(work, room))
      if (count(made.text, limit) <= limit)
        return task === undefined ? made : { ...made, reported: [task, ...made.reported] }
    }
    if (said < MIN_TOKENS) return undefined
  }
}

const MIN_TOKENS = 16

/**
 * Returns the index of the message with the task; undefined if it is not among `messages`. The first line of the digest
 * reports this message.
 */
function indexOfTask(messages: readonly Message[], { originalTask }: Work): number | undefined {
  const first = askedFirst(messages)
  return first !== undefined && taskOf([first]) === originalTask ? messages.indexOf(first) : undefined
}

function compose(total: number, chosen: readonly Candidate[], [task, ...rest]: readonly string[]): Digest {
  const constraints = chosen.filter(isConstraint)
  const decisions = chosen.filter(({ kind }) => kind === 'decision')
  const course = chosen.filter((one) => !constraints.includes(one) && !decisions.includes(one))
  const text = [
    task,
    ...listOf('Constraints:', constraints),
    ...listOf('Decisions:', decisions),
    ...rest,
    ...(course.length === 0 ? [] : ['Course of the talk:', ...inOrder(course, total)]),
  ].join('\n')
  return { text, reported: [...new Set(chosen.map(({ index }) => index))] }
}

/** Whether the words are a rule that the person gave. */
export function isConstraint({ kind, message }: Candidate): boolean {
  return kind === 'constraint' && message.role === 'user'
}

function listOf(title: string, some: readonly Candidate[]): string[] {
  return some.length === 0 ? [] : [title, ...some.map(({ text }) => `- ${text}`)]
}

/** The mark `…` replaces at least this many missing messages. */
const MIN_GAP = 3

function inOrder(chosen: readonly Candidate[], total: number): string[] {
  const result: string[] = []
  let next = 0
  for (const { index, text } of talkLines(chosen)) {
    if (index - next >= MIN_GAP) result.push('…')
    result.push(`- ${text}`)
    next = index + 1
  }
  if (total - next >= MIN_GAP) result.push('…')
  return result
}

/** Returns the task, then blockers and files, each list with the latest items that still fit. */
function headOf(work: Work, room: number): string[] {
  const task = shortLine(work.originalTask, Math.min(TASK_LENGTH, Math.max(40, Math.floor(room * 1.5))))
  const result = [`Task: ${task || NO_TASK}`]
  let left = room - roughly(result[0]!)
  const lists: [string, readonly string[]][] = [
    ['In the way:', work.blockers],
    ['Files:', work.modifiedFiles.map(({ path, action }) => `${oneLine(path)} (${action})`)],
  ]
  lists.forEach(([title, items], index) => {
    // Each list may have an equal share of what is left. What it does not use, the next list may use.
    const kept = latest(items, left / (lists.length - index))
    if (kept.length === 0) return
    const lines = [title, ...kept.map((item) => `- ${item}`)]
    left -= roughly(lines.join('\n'))
    for (const line of lines) result.push(line)
  })
  return result
}
