import { listInside, writeInside } from '../../io/inside.ts'
import { isMessage, type Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { prunedFile, prunedFilesIn } from './pruned-files.ts'
import { readRawLines } from './read-lines.ts'

/** Changes a message, and a line or file that is not one. To keep it, return the same value. */
export interface Change {
  message(message: Message): Message
  text(text: string): string
}

/** A file of the record, and what it would hold. */
export interface Rewritten {
  /** Below the conversation's folder. */
  path: string
  content: Buffer
}

/**
 * Applies a change to every file of a record that contains what was said: pruned lines, subagents, cached summaries and
 * messages.jsonl, one at a time and messages.jsonl last. Only files that change are given. Lines that do not change keep
 * their bytes, their place and their line ends; so do broken lines and git's conflict marks around those that do. It
 * writes nothing. Throws `unreadable` or `unsafe-path`.
 */
export function* rewritten(folder: string, change: Change): Generator<Rewritten> {
  const lines = [
    ...prunedFilesIn(folder).map((archive) => prunedFile({ archive })),
    ...below(folder, RECORD.subagents, '.jsonl'),
  ]
  for (const path of lines) yield* changed(folder, path, (line) => lineOf(line, change))
  for (const path of below(folder, RECORD.summaries, '.json')) {
    yield* changed(folder, path, (line) => rewriteLine(line, change))
  }
  yield* changed(folder, RECORD.messages, (line) => lineOf(line, change))
}

/**
 * Replaces a file of the record as a whole. Call this under the conversation's lock. Throws `disk-full`, `unwritable` or
 * `unsafe-path`; then the old file is untouched.
 */
export function writeRewritten(folder: string, { path, content }: Rewritten): void {
  writeInside(folder, path, content)
}

function below(folder: string, path: string, ending: string): string[] {
  return listInside(folder, path, ending).map((name) => `${path}/${name}`)
}

function* changed(folder: string, path: string, of: (line: Buffer) => Buffer): Generator<Rewritten> {
  const before = readRawLines(folder, path)
  const after = before.map(of)
  if (after.every((line, i) => line === before[i])) return
  yield { path, content: Buffer.concat(after) }
}

function lineOf(line: Buffer, change: Change): Buffer {
  const message = messageIn(line)
  if (message === undefined) return rewriteLine(line, change)
  const after = change.message(message)
  return after === message
    ? line
    : Buffer.from(`${JSON.stringify(after)}${/\r?\n?$/.exec(line.toString('latin1'))![0]}`)
}

function messageIn(line: Buffer): Message | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8').replace(/^\uFEFF/, ''))
    return isMessage(value) ? value : undefined
  } catch {
    // A torn line, or a conflict mark. Its text is looked at all the same.
    return undefined
  }
}

function rewriteLine(line: Buffer, change: Change): Buffer {
  const text = line.toString('utf8')
  const after = change.text(text)
  return after === text ? line : Buffer.from(after)
}
