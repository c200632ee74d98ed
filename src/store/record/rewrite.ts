import { listInside, writeInside } from '../../io/inside.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { prunedFile, prunedFilesIn } from './pruned-files.ts'
import { ownMessageIn, rawLinesOf, readRawLines } from './read-lines.ts'

/** Changes a message, or the text of a line or file that is not a message. An unchanged value is returned as it is. */
export interface Change {
  message(message: Message): Message
  text(text: string): string
}

/** A file of the record and its new content. */
export interface Rewritten {
  /** Below the conversation's folder. */
  path: string
  content: Buffer
}

/**
 * Applies a change to every file of a record that contains what was said: archive files, subagents, summaries, and last
 * messages.jsonl. Yields only the files that change, one at a time, and writes nothing. Every line keeps its place and
 * its line end, and a line that does not change keeps its bytes. Broken lines and git's conflict markers are changed as
 * plain text. Throws `unreadable` or `unsafe-path`.
 */
export function* rewritten(folder: string, change: Change): Generator<Rewritten> {
  const paths = [
    ...prunedFilesIn(folder).map((archive) => prunedFile({ archive })),
    ...filesBelow(folder, RECORD.subagents, '.jsonl'),
    ...filesBelow(folder, RECORD.summaries, '.json'),
    RECORD.messages,
  ]
  for (const path of paths) {
    const content = changedLines(path, readRawLines(folder, path), change)
    if (content !== undefined) yield { path, content }
  }
}

/** Like `rewritten`, for the content of one file, whose name tells its kind. Undefined if it does not change. */
export function changedContent(path: string, bytes: Buffer, change: Change): Buffer | undefined {
  return changedLines(path, rawLinesOf(bytes), change)
}

/**
 * Replaces a file of the record as a whole. Call this under the conversation's lock. Throws `disk-full`, `unwritable`
 * or `unsafe-path`; then the old file is untouched.
 */
export function writeRewritten(folder: string, { path, content }: Rewritten): void {
  writeInside(folder, path, content)
}

function filesBelow(folder: string, path: string, ending: string): string[] {
  return listInside(folder, path, ending).map((name) => `${path}/${name}`)
}

function changedLines(path: string, before: readonly Buffer[], change: Change): Buffer | undefined {
  const changeOne = path.endsWith('.jsonl') ? lineOf : rewriteLine
  const after = before.map((line) => changeOne(line, change))
  return after.every((line, at) => line === before[at]) ? undefined : Buffer.concat(after)
}

function lineOf(line: Buffer, change: Change): Buffer {
  const message = ownMessageIn(line.toString('utf8'))
  // A torn line or a conflict marker is changed as plain text.
  if (message === undefined) return rewriteLine(line, change)
  const after = change.message(message)
  return after === message
    ? line
    : Buffer.from(`${JSON.stringify(after)}${/\r?\n?$/.exec(line.toString('latin1'))![0]}`)
}

function rewriteLine(line: Buffer, change: Change): Buffer {
  const text = line.toString('utf8')
  const after = change.text(text)
  return after === text ? line : Buffer.from(after)
}
