import { join } from 'node:path'
import { isMessage, type Message } from '../../session/schema.ts'
import { isTooDeep } from '../../text/nesting.ts'
import { RECORD } from '../layout.ts'
import { hasForeignKeys, messageOfForeign } from './foreign-line.ts'
import { isConflictMarker, type Problem, type ProblemKind } from './problem.ts'
import { type Line, parseLines, readLines } from './read-lines.ts'

export interface MessagesRead {
  /**
   * The messages in file order, as written: unknown keys are kept, and repeated ids are not joined (`orderMessages`
   * does that).
   */
  lines: Message[]
  /** For each message, its line in the file, 0-based. */
  places: number[]
  /** Lines that are not a message, and oddities. None of them is fatal. */
  problems: Problem[]
}

/**
 * Reads messages.jsonl, a subagent's file or an archive file, which all have the same kind of lines, by its path below
 * the conversation's folder. Every line that is a message is returned, whatever surrounds it. A missing file counts as
 * empty. A line in the shape of an older document is a message too (foreign-line.ts). With `raw` (the lines as
 * `readRawLines` returns them) the file is not read again. Throws `unreadable` or `unsafe-path`.
 */
export function readMessages(
  folder: string,
  name: string = RECORD.messages,
  raw?: readonly Buffer[],
): MessagesRead {
  const path = join(folder, name)
  const lines: Message[] = []
  const places: number[] = []
  const problems: Problem[] = []
  const note = (line: Line, kind: ProblemKind) =>
    problems.push({ path, line: line.number, kind, bytes: line.bytes })
  const seen = new Set<ProblemKind>()
  const noteOnce = (line: Line, kind: ProblemKind) => {
    if (!seen.has(kind)) note(line, kind)
    seen.add(kind)
  }
  const seenLines = new Map<string, number>()
  const seenBefore = (sameAs: string) => {
    const count = seenLines.get(sameAs) ?? 0
    seenLines.set(sameAs, count + 1)
    return count
  }
  for (const line of raw === undefined ? readLines(folder, name) : parseLines(raw)) {
    if (line.bom) noteOnce(line, 'byte-order-mark')
    if (line.crlf) noteOnce(line, 'crlf')
    const read = readMessage(line, seenBefore)
    if (typeof read === 'string') note(line, read)
    else if (read !== undefined) {
      share(read, lines.at(-1))
      lines.push(read)
      places.push(line.number - 1)
    }
  }
  return { lines, places, problems }
}

/**
 * Makes equal texts of a message and the one before it the same string in memory: nearly every message repeats its
 * session, and names the one before as its parent.
 */
function share(message: Message, before: Message | undefined): void {
  const { id, native_session: session } = before ?? {}
  if (session !== undefined && message.native_session === session) message.native_session = session
  if (id !== undefined && message.parent_id === id) message.parent_id = id
}

function readMessage(line: Line, seenBefore: (sameAs: string) => number): Message | ProblemKind | undefined {
  if (line.text.trim() === '') return undefined
  if (isTooDeep(line.text)) return 'not-a-message'
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch {
    if (isConflictMarker(line.text)) return 'conflict-marker'
    return line.whole ? 'not-json' : 'torn'
  }
  // The parsed value itself is the message, so that its keys keep their order.
  return asMessage(value, seenBefore) ?? 'not-a-message'
}

function asMessage(value: unknown, seenBefore: (sameAs: string) => number): Message | undefined {
  return isMessage(value) && !hasForeignKeys(value) ? value : messageOfForeign(value, seenBefore)
}

/**
 * The message of one line; undefined when it is not one. Lines without an id that have equal role, time and content get
 * the same id.
 */
export function messageIn(line: string): Message | undefined {
  try {
    return asMessage(JSON.parse(line), () => 0)
  } catch {
    return undefined
  }
}
