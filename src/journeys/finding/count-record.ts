import { listInside } from '../../io/inside.ts'
import { countIn, emptyTally, type Tally, widthOf } from '../../search/count.ts'
import { tells } from '../../search/frequent.ts'
import type { Query } from '../../search/query.ts'
import type { Reading } from '../../search/reader.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { wholeText } from '../../store/record/attachments.ts'
import { eachMatchingLine } from '../../store/record/matching-lines.ts'
import { messageIn } from '../../store/record/messages.ts'
import { plain } from '../../text/plain.ts'

/** The counts for the messages of a conversation, and the place of each message. All lists have one length. */
export interface Said extends Tally {
  /** The file of the record; `''` where the message is in none yet. */
  files: string[]
  /** The line, from 0; or the place among the messages that are in no file yet. */
  lines: number[]
}

export interface SaidIn {
  said: Said
  count: number
  length: number
}

/** Whether a message is looked at at all; undefined where all are. */
export type Keeps = ((message: Message) => boolean) | undefined

export function nothingSaid(): SaidIn {
  return { said: { ...emptyTally(), files: [], lines: [] }, count: 0, length: 0 }
}

/**
 * Counts a query in files of a record. One regular expression rejects nearly all lines, and most others are counted
 * without parsing. Lines with tool calls or parts, cut lines, and lines of other programs are parsed. A result that is
 * cut in its line is searched as a whole if this machine has it.
 */
export function countInFiles(
  folder: string,
  files: readonly string[],
  query: Query,
  keeps: Keeps,
  into: SaidIn,
): void {
  const { said } = into
  const wholes = listInside(folder, RECORD.attachments, '').length > 0
  const pattern = new RegExp(query.inJson.source + (wholes ? `|${CUT}\\{` : ''), query.inJson.flags)
  const parses = keeps !== undefined || query.literal !== undefined
  for (const file of files) {
    let [seen, around] = [0, 0]
    const tell = (line: string, number: number) => {
      const content = parses || (wholes && line.includes(CUT)) ? undefined : contentIn(line)
      const found =
        content === undefined
          ? countParsed(folder, line, query, keeps, said)
          : countIn(line, query, said, content)
      if (!found || !tells(query, said)) return
      seen += 1
      around += Math.max(line.length - said.lengths.at(-1)!, 0)
      said.files.push(file)
      said.lines.push(number)
    }
    const looked = eachMatchingLine(folder, file, pattern, tell, { signs: parses })
    into.count += looked.lines
    // The text around the content is assumed to be as long in the other lines as in these.
    into.length += Math.max(looked.characters - (seen > 0 ? around / seen : 0) * looked.lines, 0)
  }
}

/** Counts a query in messages that are not all in the record yet. */
export function countInMessages(
  folder: string,
  messages: readonly Message[],
  query: Query,
  keeps: Keeps,
  into: SaidIn,
): void {
  for (const [line, message] of messages.entries()) {
    into.count += 1
    into.length += textOf(message).length
    if (keeps?.(message) === false || !countMessage(folder, message, query, into.said)) continue
    if (!tells(query, into.said)) continue
    into.said.files.push('')
    into.said.lines.push(line)
  }
}

/** The text that a message is found by: its content, whole where it is cut and this machine has the rest. */
export function foundText(folder: string, message: Message): string {
  return wholeText(folder, message) ?? textOf(message)
}

const CUT = '"truncated":'
const CONTENT = '"content":"'

/**
 * The place of the content in a line that we wrote and that has no other searchable text; undefined for other lines.
 */
function contentIn(line: string): Reading | undefined {
  const from = line.indexOf(CONTENT) + CONTENT.length
  if (from < CONTENT.length || line.includes('"tool_calls":[')) return undefined
  for (let to = line.indexOf('"', from); to !== -1; to = line.indexOf('"', to + 1)) {
    let escapes = 0
    while (line.charCodeAt(to - 1 - escapes) === 0x5c) escapes += 1
    if (escapes % 2 === 0) return { from, to, escaped: true }
  }
  return undefined
}

/** Whoever reads the record reports a torn or foreign line. Here it only holds nothing. */
function countParsed(folder: string, line: string, query: Query, keeps: Keeps, into: Tally): boolean {
  const message = messageIn(line.trim())
  if (message === undefined || keeps?.(message) === false) return false
  return countMessage(folder, message, query, into, (text) => text)
}

/** How much a word counts in the short arguments of a call, which name files and commands. */
const NAMED = 2
const SHORT = 300

/** `made` makes the texts of the message plain, if they are not. */
function countMessage(
  folder: string,
  message: Message,
  query: Query,
  into: Tally,
  made: (text: string) => string = plain,
): boolean {
  const texts = argumentsOf(message).map((text) => ({
    text: made(text),
    weight: text.length <= SHORT ? NAMED : 1,
  }))
  const parts = emptyTally()
  let length = 0
  const whole = wholeText(folder, message)
  const said = whole === undefined ? made(textOf(message)) : plain(whole)
  for (const { text, weight } of [{ text: said, weight: 1 }, ...texts]) {
    countIn(text, query, parts, {}, weight)
    length += text.length
  }
  if (parts.lengths.length === 0) return false
  const width = widthOf(query)
  for (let at = 0; at < width; at += 1)
    into.counts.push(parts.lengths.reduce((sum, _, part) => sum + parts.counts[part * width + at]!, 0))
  into.lengths.push(length)
  return true
}

/** The texts in the arguments of the calls of a message. */
export function argumentsOf({ tool_calls = [] }: Message): string[] {
  return tool_calls.flatMap((call) => textsIn(call.arguments, 0))
}

const DEEPEST = 20

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return []
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1))
}
