import { join } from 'node:path'
import { isMessage, type Message } from '../../session/schema.ts'
import { parseJson } from '../../text/json.ts'
import { isTooDeep } from '../../text/nesting.ts'
import { RECORD } from '../layout.ts'
import { hasForeignKeys, messageOfForeign } from './foreign-line.ts'
import { outlineOf } from './outline.ts'
import { isConflictMarker, MAX_LISTED, type Problem, type ProblemKind } from './problem.ts'
import { type Line, MIN_MESSAGE_BYTES, parseLines, readLines } from './read-lines.ts'

export interface MessagesRead {
  /**
   * The messages in file order, as written, with unknown keys. Messages with the same id are not joined:
   * `orderMessages` does that.
   */
  lines: Message[]
  /** For each message, its line in the file, 0-based. */
  places: number[]
  /** Lines that are not messages, and other problems. None of them is fatal. */
  problems: Problem[]
}

/**
 * Reads a file of messages by its path below the conversation's folder: messages.jsonl, a subagent's file or an archive
 * file. A missing file counts as empty. Returns every line that is a message, whatever the lines around it are. Lines
 * in the shape of the design documents are messages too (foreign-line.ts). With `raw` (the lines as `readRawLines`
 * returns them) the file is not read again. With `outlines`, long messages are without their texts (outline.ts). Throws
 * `unreadable` or `unsafe-path`.
 */
export function readMessages(
  folder: string,
  name: string = RECORD.messages,
  raw?: readonly Buffer[],
  outlines = false,
): MessagesRead {
  const path = join(folder, name)
  const lines: Message[] = []
  const places: number[] = []
  const problems: Problem[] = []
  const listed = new Map<ProblemKind, Problem[]>()
  const note = ({ number, bytes }: Line, kind: ProblemKind) => {
    const ofKind = listed.get(kind) ?? []
    if (ofKind.length === MAX_LISTED) return addMore(ofKind.at(-1)!, 1)
    const problem = { path, line: number, kind, bytes }
    problems.push(problem)
    listed.set(kind, [...ofKind, problem])
  }
  const noteOnce = (line: Line, kind: ProblemKind) => {
    if (!listed.has(kind)) note(line, kind)
  }
  let unreadable = 0
  const skipping = { below: BLANK_BYTES, lines: 0 }
  const seenLines = new Map<string, number>()
  const seenBefore = (sameAs: string) => {
    const count = seenLines.get(sameAs) ?? 0
    seenLines.set(sameAs, count + 1)
    return count
  }
  for (const line of raw === undefined ? readLines(folder, name, skipping) : parseLines(raw)) {
    if (line.bom) noteOnce(line, 'byte-order-mark')
    if (line.crlf) noteOnce(line, 'crlf')
    const isFlood = unreadable >= MANY && !line.text.includes('"role"')
    const read = isFlood ? 'not-a-message' : readMessage(line, seenBefore)
    if (typeof read === 'string') {
      note(line, read)
      unreadable += 1
      // From here on, lines too short for messages are skipped: a file of millions of such lines must not take minutes.
      if (unreadable === MANY) skipping.below = MIN_MESSAGE_BYTES
    } else if (read !== undefined) {
      const { message, isOurs } = read
      share(message, lines.at(-1))
      // The line of an outline is read again, as it is. A message that was made of another form has no such line.
      lines.push(outlines && isOurs ? outlineOf(message, line.start, line.bytes) : message)
      places.push(line.number - 1)
    }
  }
  if (skipping.lines > 0) addMore(problems.at(-1)!, skipping.lines)
  return { lines, places, problems }
}

function addMore(problem: Problem, count: number): void {
  problem.more = (problem.more ?? 0) + count
}

/** Blank lines have at most a carriage return and a line break. */
const BLANK_BYTES = 2

/** From this many unreadable lines on, only lines that may be messages are parsed. */
const MANY = 1000

/**
 * Saves memory: where a message repeats a text of the message before it, makes both use the same string. Nearly every
 * message repeats the session of the one before it and names that one as its parent.
 */
function share(message: Message, before: Message | undefined): void {
  const { id, native_session: session } = before ?? {}
  if (session !== undefined && message.native_session === session) message.native_session = session
  if (id !== undefined && message.parent_id === id) message.parent_id = id
}

interface Read {
  message: Message
  /** The line has our form; otherwise the message was made of another one. */
  isOurs: boolean
}

function readMessage(line: Line, seenBefore: (sameAs: string) => number): Read | ProblemKind | undefined {
  if (line.text.trim() === '') return undefined
  if (isTooDeep(line.text)) return 'not-a-message'
  const value = parseJson(line.text)
  if (value === undefined) {
    if (isConflictMarker(line.text)) return 'conflict-marker'
    return line.whole ? 'not-json' : 'torn'
  }
  // The parsed value itself is the message, so that its keys keep their order.
  return asMessage(value, seenBefore) ?? 'not-a-message'
}

function asMessage(value: unknown, seenBefore: (sameAs: string) => number): Read | undefined {
  if (isMessage(value) && !hasForeignKeys(value)) return { message: value, isOurs: true }
  const message = messageOfForeign(value, seenBefore)
  return message && { message, isOurs: false }
}

/**
 * The message of one line; undefined when it is not one. Lines without an id that have equal role, time and content get
 * the same id.
 */
export function messageIn(line: string): Message | undefined {
  return asMessage(parseJson(line), () => 0)?.message
}
