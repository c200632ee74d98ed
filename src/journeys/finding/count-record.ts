import { join } from 'node:path'
import { countIn, emptyTally, rounded, type Tally, widthOf } from '../../search/count.ts'
import { tells } from '../../search/frequent.ts'
import type { Query } from '../../search/query.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { hasStamp, stateOf } from '../../store/machine/indexes/word-index.ts'
import { wholeText } from '../../store/record/attachments.ts'
import { eachLineAt, eachMatchingLine } from '../../store/record/matching-lines.ts'
import { messageIn } from '../../store/record/read-messages.ts'
import { plain } from '../../text/without-accents.ts'
import { CUT, contentIn, isOutput } from './record-line.ts'
import type { KnownFile, KnownLine } from './word-index.ts'

/** The matching messages of a conversation: their counts and their places. */
export interface MessageTally extends Tally {
  /** The file of the record that contains each message; `''` for a message that is not published yet. */
  files: string[]
  /** The line of each message in its file, from 0; its index among the unpublished messages if it has no file. */
  lines: number[]
}

export interface SearchCounts {
  said: MessageTally
  /** Number of all messages that were searched. */
  count: number
}

/** Whether a message is searched; undefined if all are. */
export type MessageFilter = ((message: Message) => boolean) | undefined

export function emptyCounts(): SearchCounts {
  return { said: { ...emptyTally(), files: [], lines: [] }, count: 0 }
}

/**
 * Counts the matches of a query in files of a record. One regular expression rejects most lines, and most lines that it
 * matches are counted without parsing. Lines with tool calls, content parts or a cut result, and lines that another
 * program wrote, are parsed. If the full text of a cut result is in `attachments/` (`wholes`: there may be one), that text
 * is searched.
 */
export function countInFiles(
  { folder, files, wholes }: { folder: string; files: readonly string[]; wholes: boolean },
  query: Query,
  filter: MessageFilter,
  into: SearchCounts,
  known?: ReadonlyMap<string, KnownFile>,
): void {
  const { said } = into
  const pattern = new RegExp(query.inJson.source + (wholes ? `|${CUT}\\{` : ''), query.inJson.flags)
  const parses = filter !== undefined || query.literal !== undefined
  for (const file of files) {
    const countLine = (line: string, number: number) => {
      const content = parses || (wholes && line.includes(CUT)) ? undefined : contentIn(line)
      const found =
        content === undefined
          ? countParsed(folder, line, query, filter, said)
          : countIn(line, query, said, content, isOutput(line) ? WEIGHT.output : 1)
      if (!found || !tells(query, said)) return
      if (query.days !== undefined) said.fits.push(query.days(TIMESTAMP.exec(line)?.[1] ?? ''))
      said.files.push(file)
      said.lines.push(number)
    }
    const indexed = known?.get(join(folder, file))
    into.count +=
      indexed?.wholes === wholes && countIndexed(folder, file, indexed, countLine, query, said, parses)
        ? indexed.lines
        : eachMatchingLine(folder, file, pattern, countLine, { signs: parses })
  }
}

/**
 * Counts the lines of a file that are counted in the index, and lets `countLine` count those that have to be read, all in
 * their order. If the file is not as it was, notes so, counts nothing and returns false.
 */
function countIndexed(
  folder: string,
  file: string,
  indexed: KnownFile,
  countLine: (line: string, number: number) => void,
  query: Query,
  into: MessageTally,
  signs: boolean,
): boolean {
  const { asked } = indexed
  const read = asked.filter(({ counts }) => counts === undefined || hasPhrase(query, counts))
  let next = 0
  const countBefore = (number: number) => {
    for (; next < asked.length && asked[next]!.number < number; next += 1)
      countKnown(asked[next]!, file, query, into)
  }
  const count = (line: string, number: number) => {
    countBefore(number)
    next += 1
    countLine(line, number)
  }
  const isSame =
    read.length === 0
      ? stateOf(indexed) === 'same'
      : eachLineAt(folder, file, (stats) => hasStamp(indexed, stats), read, count, { signs })
  if (isSame) countBefore(Number.POSITIVE_INFINITY)
  else indexed.changed = true
  return isSame
}

/** Only the text shows whether all the terms of a phrase stand together. */
function hasPhrase({ phrases }: Query, counts: readonly number[]): boolean {
  return phrases.some(({ terms }) => terms.every((term) => counts[term]! > 0))
}

function countKnown(
  { counts, length, isOutput, number }: KnownLine,
  file: string,
  query: Query,
  into: MessageTally,
): void {
  const weight = isOutput ? WEIGHT.output : 1
  for (const count of counts!) into.counts.push(rounded(count * weight))
  for (const _ of query.phrases) into.counts.push(0)
  into.lengths.push(length)
  if (!tells(query, into)) return
  into.files.push(file)
  into.lines.push(number)
}

/** Counts the matches of a query in messages that are not published yet. */
export function countInMessages(
  folder: string,
  messages: readonly Message[],
  query: Query,
  filter: MessageFilter,
  into: SearchCounts,
): void {
  for (const [line, message] of messages.entries()) {
    into.count += 1
    if (filter?.(message) === false || !countMessage(folder, message, query, into.said)) continue
    if (!tells(query, into.said)) continue
    if (query.days !== undefined) into.said.fits.push(query.days(message.timestamp))
    into.said.files.push('')
    into.said.lines.push(line)
  }
}

/**
 * Returns the text in which a message is searched: its content, or the full result from `attachments/` if the content
 * is cut.
 */
export function searchedText(folder: string, message: Message): string {
  return wholeText(folder, message) ?? textOf(message)
}

/** The weight of a word by its place: 1 in talk, less in the arguments of a tool call and in the output of a tool. */
const WEIGHT = { arguments: 0.3, output: 0.1 }

const TIMESTAMP = /"timestamp":"([^"]*)"/
/**
 * Parses a line and counts the matches of a query in it. A line that is not a message has none; readers of the record
 * report it.
 */
function countParsed(
  folder: string,
  line: string,
  query: Query,
  filter: MessageFilter,
  into: Tally,
): boolean {
  const message = messageIn(line.trim())
  if (message === undefined || filter?.(message) === false) return false
  return countMessage(folder, message, query, into, (text) => text)
}

/**
 * Counts the matches of a query in a message and in the arguments of its tool calls. `toPlain` is applied to each text.
 */
function countMessage(
  folder: string,
  message: Message,
  query: Query,
  into: Tally,
  toPlain: (text: string) => string = plain,
): boolean {
  const texts = argumentsOf(message).map((text) => ({ text: toPlain(text), weight: WEIGHT.arguments }))
  const parts = emptyTally()
  let length = 0
  const whole = wholeText(folder, message)
  const said = whole === undefined ? toPlain(textOf(message)) : plain(whole)
  const weight = message.role === 'tool' ? WEIGHT.output : 1
  for (const { text, weight: counts } of [{ text: said, weight }, ...texts]) {
    countIn(text, query, parts, {}, counts)
    length += text.length
  }
  if (parts.lengths.length === 0) return false
  const width = widthOf(query)
  for (let term = 0; term < width; term += 1)
    into.counts.push(
      rounded(parts.lengths.reduce((sum, _, part) => sum + parts.counts[part * width + term]!, 0)),
    )
  into.lengths.push(length)
  return true
}

/** Returns the texts in the arguments of a message's tool calls, except calls that run cortext. */
export function argumentsOf({ tool_calls = [] }: Message): string[] {
  return tool_calls.flatMap((call) => {
    const texts = textsIn(call.arguments, 0)
    return texts.some((text) => OWN_COMMAND.test(text)) ? [] : texts
  })
}

/**
 * Matches a call that runs cortext. Such calls are not searched: a search contains its own words, and the summary of a
 * stop repeats what was said.
 */
const OWN_COMMAND = /(?:^|[;&|]\s*|\n)\s*cortext\s|CORTEXT_SUMMARY/

const MAX_DEPTH = 20

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return []
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1))
}
