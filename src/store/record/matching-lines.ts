import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'

/**
 * The lines of a file below a conversation's folder that hold each of `words`; the words are in lower case, and case is
 * ignored. A missing file has no lines. The file is read in small pieces, because memory that is used again costs a
 * fraction of what new memory costs. Throws `unreadable` and `unsafe-path`.
 */
export function* matchingLines(folder: string, path: string, words: readonly string[]): Generator<string> {
  const fd = openInside(folder, path)
  if (fd === undefined) return
  try {
    for (const lines of pieces(fd, join(folder, path))) yield* matching(lines, words)
  } finally {
    closeSync(fd)
  }
}

const PIECE = 64 * 1024
const BREAK = 0x0a

/** The text in pieces of whole lines; only the last one may lack its line break. */
function* pieces(fd: number, file: string): Generator<string> {
  let buffer = Buffer.allocUnsafe(PIECE)
  let held = 0
  while (true) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], 2 * held)
    const read = readInto(buffer, held, fd, file)
    const filled = held + read
    const end = read === 0 ? filled : buffer.lastIndexOf(BREAK, filled - 1) + 1
    if (end > 0) yield buffer.toString('utf8', 0, end)
    if (read === 0) return
    buffer.copyWithin(0, end, filled)
    held = filled - end
  }
}

function readInto(buffer: Buffer, offset: number, fd: number, file: string): number {
  try {
    return readSync(fd, buffer, offset, buffer.length - offset, null)
  } catch (error) {
    throw fileError(error, file, 'read')
  }
}

function* matching(text: string, words: readonly string[]): Generator<string> {
  const lower = text.toLowerCase()
  // A few letters of a few scripts grow when they become lower case. Then the places in the two texts differ.
  if (lower.length !== text.length) {
    for (const line of text.split('\n')) if (hasAll(line.toLowerCase(), words)) yield line
    return
  }
  for (let at = 0; at < lower.length; ) {
    // A line that holds all words cannot lie before the next place of any of them.
    const next = Math.max(at, ...words.map((word) => indexOf(lower, word, at)))
    if (next === Number.POSITIVE_INFINITY) return
    const start = lower.lastIndexOf('\n', next) + 1
    const end = indexOf(lower, '\n', next)
    if (hasAll(lower.slice(start, end), words)) yield text.slice(start, end)
    at = end + 1
  }
}

function indexOf(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word))
}
