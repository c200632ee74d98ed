import type { Stats } from 'node:fs'
import { listInside } from '../../io/inside.ts'
import { countIn, emptyTally, type Tally, widthOf } from '../../search/count.ts'
import { tells } from '../../search/frequent.ts'
import type { Query } from '../../search/query.ts'
import type { Reading } from '../../search/reader.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { hasStamp, type KnownFile } from '../../store/machine/indexes/word-index.ts'
import { wholeText } from '../../store/record/attachments.ts'
import { eachLineAt, eachMatchingLine } from '../../store/record/matching-lines.ts'
import { messageIn } from '../../store/record/messages.ts'
import { plain } from '../../text/plain.ts'

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
 * program wrote, are parsed. If the full text of a cut result is in `attachments/`, that text is searched.
 */
export function countInFiles(
  folder: string,
  files: readonly string[],
  query: Query,
  filter: MessageFilter,
  into: SearchCounts,
  known?: ReadonlyMap<string, KnownFile>,
): void {
  const { said } = into
  const wholes = hasWholes(folder)
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
    const indexed = known?.get(`${folder}/${file}`)
    const isSame = (stats: Stats) => indexed?.wholes === wholes && hasStamp(indexed, stats)
    into.count +=
      indexed !== undefined && eachLineAt(folder, file, isSame, indexed.places, countLine, { signs: parses })
        ? indexed.lines
        : eachMatchingLine(folder, file, pattern, countLine, { signs: parses })
  }
}

/** Whether the full texts of cut results may be beside the record. */
export function hasWholes(folder: string): boolean {
  return listInside(folder, RECORD.attachments, '').length > 0
}

/** The part of a line in which words can count: its content if nothing else in it is searched, else all of it. */
export function wordsIn(line: string): string {
  const content = contentIn(line)
  if (content === undefined) return line
  const { from, to } = content
  const isFlat =
    line.lastIndexOf('{', from) === 0 && !line.slice(0, from).includes('[') && !/[[{]/.test(line.slice(to))
  return isFlat ? line.slice(from, to) : line
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

/** Whether a line that we wrote is the output of a tool. In such a line, the role precedes the content. */
function isOutput(line: string): boolean {
  const role = line.indexOf('"role":"')
  return role !== -1 && line.startsWith('"role":"tool"', role)
}

const TIMESTAMP = /"timestamp":"([^"]*)"/
export const CUT = '"truncated":'
const CONTENT = '"content":"'

/**
 * Returns the range of the content in a line that we wrote and that has no other searchable text; undefined for other
 * lines.
 */
function contentIn(line: string): Required<Reading> | undefined {
  const from = line.indexOf(CONTENT) + CONTENT.length
  if (from < CONTENT.length || line.includes('"tool_calls":[')) return undefined
  for (let to = line.indexOf('"', from); to !== -1; to = line.indexOf('"', to + 1)) {
    let escapes = 0
    while (line.charCodeAt(to - 1 - escapes) === 0x5c) escapes += 1
    if (escapes % 2 === 0) return { from, to, escaped: true }
  }
  return undefined
}

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
    into.counts.push(parts.lengths.reduce((sum, _, part) => sum + parts.counts[part * width + term]!, 0))
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
