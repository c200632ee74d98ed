import { closeSync, fstatSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { accessFile, readAndClose } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'
import { isMessage, type Message } from '../../session/schema.ts'
import { parseJson } from '../../text/json.ts'
import { isTooDeep } from '../../text/nesting.ts'

/** The message of a line as this program writes it; undefined for any other line. */
export function ownMessageIn(line: string): Message | undefined {
  const value = isTooDeep(line) ? undefined : parseJson(line.replace(/^\uFEFF/, ''))
  return isMessage(value) ? value : undefined
}

export interface Line {
  /** The line without its line break, carriage return and byte order mark. */
  text: string
  /** 1-based. */
  number: number
  /** The length of the line in the file, with its line break. */
  bytes: number
  /** The place of the line's first byte in the file. */
  start: number
  /** Whether a line break ends it: only the last line of a file may lack one. */
  whole: boolean
  bom: boolean
  crlf: boolean
}

/** Which lines `readLines` skips. The caller may change `below` at any line. */
export interface Skipping {
  /** Lines of fewer bytes are skipped. */
  below: number
  /** Number of lines that were skipped and are not blank. */
  lines: number
}

/**
 * The lines of a file of the record, one after another; `path` is relative to the conversation's folder. It needs
 * memory for one megabyte and the longest line. A missing file has no lines. Throws `unreadable` and `unsafe-path`.
 */
export function* readLines(folder: string, path: string, skipping?: Skipping): Generator<Line> {
  const fd = openInside(folder, path)
  if (fd === undefined) return
  try {
    // `readLines` yields texts and not bytes, so all chunks can use the same memory.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const chunks = chunksOf(fd, join(folder, path), () => chunk)
    for (const { bytes, whole, number, start } of splitAtBreaks(chunks, skipping))
      yield lineOf(bytes, number, start, whole)
  } finally {
    closeSync(fd)
  }
}

/**
 * The lines that are whole within the last `maxBytes` bytes of a file of the record, oldest first. `path` is relative
 * to the conversation's folder. A missing file has no lines. Throws `unreadable` and `unsafe-path`.
 */
export function lastLines(folder: string, path: string, maxBytes: number): string[] {
  const fd = openInside(folder, path)
  if (fd === undefined) return []
  return readAndClose(fd, join(folder, path), () => {
    const size = fstatSync(fd).size
    const from = Math.max(0, size - maxBytes)
    const bytes = Buffer.alloc(size - from)
    const length = readSync(fd, bytes, 0, bytes.length, from)
    const text = bytes.subarray(0, length).toString('utf8')
    const whole = from === 0 ? text : text.slice(text.indexOf('\n') + 1 || text.length)
    return whole.split('\n').filter((line) => line !== '')
  })
}

/** Parses the lines that `readRawLines` has read. */
export function* parseLines(raw: readonly Buffer[]): Generator<Line> {
  let start = 0
  for (const [index, bytes] of raw.entries()) {
    yield lineOf(bytes, index + 1, start, bytes.at(-1) === BREAK)
    start += bytes.length
  }
}

/**
 * The lines of a file as bytes, unchanged. Only the last one may lack its line break. Throws `corrupt` for a file that
 * is full of lines too short for messages, because a line in memory takes much more than its few bytes.
 */
export function readRawLines(folder: string, path: string): Buffer[] {
  const fd = openInside(folder, path)
  if (fd === undefined) return []
  try {
    const file = join(folder, path)
    const lines: Buffer[] = []
    let size = 0
    for (const { bytes } of splitAtBreaks(chunksOf(fd, file, () => Buffer.allocUnsafe(CHUNK_BYTES)))) {
      lines.push(bytes)
      size += bytes.length
      if (lines.length > MAX_SHORT_LINES && size < MIN_MESSAGE_BYTES * lines.length)
        throw new CortextError('corrupt', `${file} is full of lines that are too short for messages`, {
          fix: `take the file from a commit or a copy, or delete the conversation`,
        })
    }
    return lines
  } finally {
    closeSync(fd)
  }
}

/** Like `readRawLines`, for the content of a file. */
export function rawLinesOf(content: Buffer): Buffer[] {
  return Array.from(splitAtBreaks([content]), ({ bytes }) => bytes)
}

/** No message takes fewer bytes: it has a role, a content and a time. */
export const MIN_MESSAGE_BYTES = 40
const MAX_SHORT_LINES = 500_000

const CHUNK_BYTES = 1024 * 1024
const BREAK = 0x0a
const RETURN = 0x0d

function* chunksOf(fd: number, file: string, newChunk: () => Buffer): Generator<Buffer> {
  while (true) {
    const chunk = newChunk()
    const length = accessFile(file, 'read', () => readSync(fd, chunk))
    if (length === 0) return
    yield chunk.subarray(0, length)
  }
}

function* splitAtBreaks(
  chunks: Iterable<Buffer>,
  skipping: Skipping = { below: 0, lines: 0 },
): Generator<{ bytes: Buffer; whole: boolean; number: number; start: number }> {
  let begun: Buffer[] = []
  let number = 0
  let lineStart = 0
  for (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(BREAK); end !== -1; end = chunk.indexOf(BREAK, start)) {
      number += 1
      const length = end + 1 - start
      const isBlank = length === 1 || (length === 2 && chunk[start] === RETURN)
      if (begun.length === 0 && length < skipping.below) {
        if (!isBlank) skipping.lines += 1
        start = end + 1
        lineStart += length
        continue
      }
      const rest = chunk.subarray(start, end + 1)
      start = end + 1
      const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      yield { bytes, whole: true, number, start: lineStart }
      lineStart += bytes.length
      begun = []
    }
    // The next chunk may be read into the same memory.
    if (start < chunk.length) begun.push(Buffer.from(chunk.subarray(start)))
  }
  if (begun.length > 0)
    yield { bytes: Buffer.concat(begun), whole: false, number: number + 1, start: lineStart }
}

function lineOf(bytes: Buffer, number: number, start: number, whole: boolean): Line {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const crlf = whole && bytes.at(-2) === 0x0d
  const end = bytes.length - (whole ? 1 : 0) - (crlf ? 1 : 0)
  const text = bytes.toString('utf8', bom ? 3 : 0, end)
  return { text, number, bytes: bytes.length, start, whole, bom, crlf }
}
