import { LENGTH, type Passage, passageOf } from '../../search/passage.ts'
import type { Query } from '../../search/query.ts'
import type { Ranked } from '../../search/rank.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { linesAt } from '../../store/record/matching-lines.ts'
import { messageIn } from '../../store/record/read-messages.ts'
import { cutAtWord } from '../../text/line.ts'
import { argumentsOf, searchedText } from './count-record.ts'
import type { Found } from './search.ts'

/** A message that was found, as it is shown. */
export interface FoundMessage extends Passage {
  message: Message
  score: number
  /** `cortext show <id> --at <at>` shows this message; undefined if `show` does not have it. */
  at?: string
  /**
   * The file that contains the message, as a path from the conversation's folder; only if `show` does not have the
   * message.
   */
  file?: string
  /** What was said right after it: an answer is often there, in words of its own. */
  next?: { role: Message['role']; text: string }[]
}

export interface Passages {
  messages: FoundMessage[]
  /** Number of messages with at least a quarter of the best score. */
  total: number
}

/** Of the best conversation a passage is so many times as long: the answer may come after the words. */
const BEST = 2

/** Of the best conversation, and of another one. */
export const MAX_SHOWN = { best: 3, other: 2 }
const MAX_NEXT = 2
/** Characters of a message that was said next. */
const NEXT_LENGTH = 120
/** A message is shown or counted if its score is at least this part of the best score. */
const MIN_RATIO = { shown: 0.5, counted: 0.25 }

/**
 * Returns up to two messages of a conversation that match a query best, best first, each with its best passage. There are
 * up to three, with longer passages, if the conversation `isBest`.
 */
export function passagesIn(
  { candidate, scores }: Ranked<Found>,
  query: Query,
  { isBest = false } = {},
): Passages {
  const length = isBest ? BEST * LENGTH : LENGTH
  const most = isBest ? MAX_SHOWN.best : MAX_SHOWN.other
  const highest = scores.reduce((best, score) => Math.max(best, score), 0)
  const { files, lines } = candidate.messages
  const counted: Place[] = scores.flatMap((score, index) =>
    score > 0 && score >= MIN_RATIO.counted * highest
      ? [{ file: files[index]!, line: lines[index]!, score }]
      : [],
  )
  const best = counted
    .filter(({ score }) => score >= MIN_RATIO.shown * highest)
    .sort((a, b) => b.score - a.score)
  const shown = new Map<string, FoundMessage>()
  const found = read(candidate, best.slice(0, 2 * most))
  const texts = new Set<string>()
  for (const { place, message } of found) {
    const text = searchedText(candidate.folder, message)
    const same = text.trim() === '' ? message.id : text
    // After a merge, a message may be in the record twice, and a person may have typed a prompt again.
    if (shown.size < most && !texts.has(same)) {
      texts.add(same)
      const where = isShown(place) ? { at: idToShow(message) } : { file: place.file }
      shown.set(message.id, {
        message,
        score: place.score,
        ...where,
        ...passage(text, message, query, length),
      })
    }
  }
  for (const [index, { message, next }] of found.entries()) {
    // What is shown itself is not shown twice.
    const said = saidNext(message, next, { isFirst: isBest && index === 0, length })
    const others = said
      .filter(({ id, whole }) => !shown.has(id) && !texts.has(whole))
      .map(({ role, text }) => ({ role, text }))
    const one = shown.get(message.id)
    if (one !== undefined && others.length > 0) one.next ??= others
  }
  return { messages: [...shown.values()], total: counted.length }
}

/**
 * What was said after a message in words, before the agent worked: after a question its answer, and after the best
 * message of all the next two, whatever they are.
 */
function saidNext(
  message: Message,
  next: readonly Message[],
  { isFirst, length }: { isFirst: boolean; length: number },
): { id: string; role: Message['role']; text: string; whole: string }[] {
  if (!isTalk(message)) return []
  const asks = QUESTION.test(textOf(message).trim().slice(-LONGEST_END))
  const said: ReturnType<typeof saidNext> = []
  for (const one of next.filter(({ event }) => event === undefined)) {
    if (!isTalk(one) || textOf(one).trim() === '') break
    const isAnswer = asks && said.length === 0 && one.role !== message.role
    if (!isAnswer && !isFirst) break
    const whole = textOf(one)
    const text = beginning(whole, isAnswer ? length : NEXT_LENGTH)
    said.push({ id: one.id, role: one.role, text, whole })
    if (said.length === MAX_NEXT) break
  }
  return said
}

/** A question mark, also one before a few words. */
const QUESTION = /[?？؟]/
const LONGEST_END = 60

function beginning(text: string, length: number): string {
  return cutAtWord(text.replace(/\s+/g, ' ').trim(), length)
}

/**
 * When the best message of a conversation was said, in milliseconds; if only its title or the like matches, when the
 * conversation was last active.
 */
export function saidAt({ messages }: Passages, { session }: Found): number {
  return Date.parse(messages[0]?.message.timestamp ?? session.last_active)
}

/** Says how many messages of a conversation match besides those that are shown. */
export function moreMessages(count: number): string {
  return count === 1 ? '1 more message matches' : `${count} more messages match`
}

interface Place {
  file: string
  line: number
  score: number
}

function read(
  { folder, unpublished }: Found,
  places: readonly Place[],
): { place: Place; message: Message; next: Message[] }[] {
  const numbers = (file: string) =>
    new Set(places.flatMap((one) => (one.file === file ? [one.line, ...linesAfter(one.line)] : [])))
  const files = [...new Set(places.map(({ file }) => file))].filter((file) => file !== '')
  const texts = new Map(files.map((file) => [file, linesAt(folder, file, numbers(file))]))
  const messageAt = (file: string, line: number) =>
    file === '' ? unpublished[line] : messageIn((texts.get(file)?.get(line) ?? '').trim())
  return places.flatMap((place) => {
    const message = messageAt(place.file, place.line)
    if (message === undefined) return []
    const next = linesAfter(place.line).flatMap((line) => messageAt(place.file, line) ?? [])
    return [{ place, message, next }]
  })
}

/** Events may stand between two messages. */
const linesAfter = (line: number) => [line + 1, line + 2, line + 3, line + 4]

function passage(text: string, message: Message, query: Query, length: number): Passage {
  const found = passageOf(text, query, length)
  if (found.marks.length > 0) return found
  const calls = passageOf(argumentsOf(message).join(' | '), query, length)
  return calls.marks.length > 0 ? calls : found
}

/** Whether `show` has the message: pruned messages and those of subagents are in other files. */
function isShown({ file }: Place): boolean {
  return file === '' || file === RECORD.messages
}

/**
 * Returns an id that names one message. Our own ids are shortened; the ids of other programs are not, because they may
 * differ only at their end.
 */
export function idToShow({ id }: Message): string {
  return /^[0-9a-f]{32}$/.test(id) ? id.slice(0, 12) : id
}
