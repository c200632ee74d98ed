import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { cutAtWord, shortLine } from '../../text/line.ts'
import { askedFirst, type State, taskOf } from './index.ts'
import { sentencesIn } from './sentences.ts'

/**
 * Summarises the earlier part of a conversation without a model: what it has come to, and the course of the talk in its
 * own words. The state is given as of the end of that part.
 */

export interface Digest {
  text: string
  /** Places of the messages that a line tells of. */
  told: number[]
}

export const NO_TASK = '(none was stated)'
/** Stands for the task when it is shown below in the person's own words. */
export const TASK_BELOW = '(what the user asks first below)'
const ITEM = 240
const TASK = 1200

/**
 * Makes a digest of at most `limit` tokens; undefined when that is too little for the task alone. The person's words go
 * before the agent's; decisions, wishes and problems go before the rest; later goes before earlier.
 */
export function digest(
  messages: readonly Message[],
  state: State,
  limit: number,
  count: (text: string, limit?: number) => number,
): Digest | undefined {
  const task = placeOfTask(messages, state)
  const lines = linesOf(messages)
    .filter(({ index }) => index !== task)
    .sort((a, b) => b.worth - a.worth || b.index - a.index)
  // The plan estimates more tokens than there are. If a count still finds too many, the next try has less room.
  for (let room = limit * 1.2; room >= 16; room *= 0.85) {
    const made = compose(messages.length, lines, state, room)
    if (count(made.text, limit) <= limit)
      return task === undefined ? made : { ...made, told: [task, ...made.told] }
  }
  return undefined
}

/** The place of the message that says the task, if it is among these. The line of the task tells it already. */
function placeOfTask(messages: readonly Message[], { originalTask }: State): number | undefined {
  const first = askedFirst(messages)
  return first !== undefined && taskOf([first]) === originalTask ? messages.indexOf(first) : undefined
}

/** One line that may be told, of one message. */
interface Line {
  /** The place of the message among those of the digest. */
  index: number
  text: string
  tokens: number
  worth: number
}

function linesOf(messages: readonly Message[]): Line[] {
  return messages.flatMap((message, index) => {
    const line = lineOf(message)
    if (line === undefined) return []
    // Later messages say more about where the conversation stands.
    const worth = line.worth + index / messages.length
    return [{ index, text: line.text, tokens: roughly(line.text) + 2, worth }]
  })
}

function lineOf(message: Message): { text: string; worth: number } | undefined {
  const sentences = sentencesIn(message)
  const [first] = sentences
  if (first === undefined) return undefined
  const telling = sentences.flatMap(({ text, kind }) => (kind === undefined ? [] : [text]))
  if (message.role === 'user') {
    const whole = shortLine(textOf(message), ITEM + 1)
    const said = whole.length <= ITEM || telling.length === 0 ? whole : [first.text, ...telling].join(' … ')
    return { text: `User: ${cutAtWord(said, ITEM)}`, worth: telling.length > 0 ? 4 : 3 }
  }
  const said = telling.length > 0 ? telling.slice(-2).join(' … ') : first.text
  return { text: `Assistant: ${cutAtWord(said, ITEM)}`, worth: telling.length > 0 ? 2.5 : 1 }
}

/**
 * Fills about `room` tokens: up to three quarters for the state, the rest for the course. `lines` are sorted by worth.
 */
function compose(total: number, lines: readonly Line[], state: State, room: number): Digest {
  const head = headOf(state, room * 0.75)
  let left = room - roughly(head)
  const chosen: Line[] = []
  for (const line of lines) {
    if (left < 12) break
    if (line.tokens > left) continue
    left -= line.tokens
    chosen.push(line)
  }
  const course = inOrder(chosen, total)
  const text = [head, ...(course.length === 0 ? [] : ['Course of the talk:', ...course])].join('\n')
  return { text, told: chosen.map(({ index }) => index) }
}

/** So many messages may be missing between two lines without a mark: an answer or two. */
const TOLD_GAP = 3

function inOrder(chosen: Line[], total: number): string[] {
  const result: string[] = []
  let next = 0
  for (const { index, text } of chosen.sort((a, b) => a.index - b.index)) {
    if (index - next >= TOLD_GAP) result.push('…')
    result.push(`- ${text}`)
    next = index + 1
  }
  if (total - next >= TOLD_GAP && result.length > 0) result.push('…')
  return result
}

/** The task, then the lists by their worth, each with the latest items that still fit. */
function headOf(state: State, room: number): string {
  const task = shortLine(state.originalTask, Math.min(TASK, Math.max(40, Math.floor(room * 1.5))))
  const result = [`Task: ${task || NO_TASK}`]
  let left = room - roughly(result[0]!)
  const lists: [string, readonly string[]][] = [
    ['Constraints:', state.constraints],
    ['Decisions:', state.keyDecisions],
    ['In the way:', state.blockers],
    ['Files:', state.modifiedFiles.map(({ path, action }) => `${path} (${action})`)],
  ]
  lists.forEach(([title, items], place) => {
    // Room that one list does not use is left for the next ones.
    const kept = latest(items, left / (lists.length - place))
    if (kept.length === 0) return
    const lines = [title, ...kept.map((item) => `- ${item}`)]
    left -= roughly(lines.join('\n'))
    result.push(...lines)
  })
  return result.join('\n')
}

/** An item as it stands in a list. */
export function itemLine(item: string): string {
  return cutAtWord(item, ITEM)
}

/** An estimate of tokens for planning. It is above the real number, by half for plain text. */
function roughly(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) wide += 1
  return Math.ceil((text.length - wide) / 3) + wide
}

/** The last items that fit, in order, each cut to the length of a line. */
export function latest(items: readonly string[], room: number): string[] {
  const kept: string[] = []
  let left = room - 4
  for (const item of items.toReversed()) {
    const line = itemLine(item)
    const tokens = roughly(line) + 2
    if (tokens > left) break
    left -= tokens
    kept.unshift(line)
  }
  return kept
}
