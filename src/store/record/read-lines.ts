import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'

export interface Line {
  /** The line without its line break, carriage return and byte order mark. */
  text: string
  /** 1-based. */
  number: number
  /** The length of the line in the file, with its line break. */
  bytes: number
  /** Whether a line break ends it: only the last line of a file may lack one. */
  whole: boolean
  bom: boolean
  crlf: boolean
}

/**
 * The lines of a file of the record, one after another; `path` is relative to the conversation's folder. It needs
 * memory for one megabyte and the longest line. A missing file has no lines. Throws `unreadable` and `unsafe-path`.
 */
export function* readLines(folder: string, path: string): Generator<Line> {
  const fd = openInside(folder, path)
  if (fd === undefined) return
  try {
    let number = 0
    // The caller of this function gets the text of lines and not their bytes, so one chunk is enough.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (const { bytes, whole } of splitAtBreaks(chunksOf(fd, join(folder, path), () => chunk)))
      yield lineOf(bytes, ++number, whole)
  } finally {
    closeSync(fd)
  }
}

/** Parses the lines that `readRawLines` has read. */
export function* parseLines(raw: readonly Buffer[]): Generator<Line> {
  for (const [index, bytes] of raw.entries()) yield lineOf(bytes, index + 1, bytes.at(-1) === BREAK)
}

/** The lines of a file as bytes, unchanged. Only the last one may lack its line break. */
export function readRawLines(folder: string, path: string): Buffer[] {
  const fd = openInside(folder, path)
  if (fd === undefined) return []
  try {
    const chunks = chunksOf(fd, join(folder, path), () => Buffer.allocUnsafe(CHUNK_BYTES))
    return Array.from(splitAtBreaks(chunks), ({ bytes }) => bytes)
  } finally {
    closeSync(fd)
  }
}

const CHUNK_BYTES = 1024 * 1024
const BREAK = 0x0a

function* chunksOf(fd: number, file: string, newChunk: () => Buffer): Generator<Buffer> {
  while (true) {
    const chunk = newChunk()
    const length = readChunk(fd, chunk, file)
    if (length === 0) return
    yield chunk.subarray(0, length)
  }
}

function readChunk(fd: number, chunk: Buffer, file: string): number {
  try {
    return readSync(fd, chunk)
  } catch (error) {
    throw fileError(error, file, 'read')
  }
}

function* splitAtBreaks(chunks: Iterable<Buffer>): Generator<{ bytes: Buffer; whole: boolean }> {
  let begun: Buffer[] = []
  for (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(BREAK); end !== -1; end = chunk.indexOf(BREAK, start)) {
      const rest = chunk.subarray(start, end + 1)
      yield { bytes: begun.length === 0 ? rest : Buffer.concat([...begun, rest]), whole: true }
      begun = []
      start = end + 1
    }
    // The next chunk may be read into the same memory.
    if (start < chunk.length) begun.push(Buffer.from(chunk.subarray(start)))
  }
  if (begun.length > 0) yield { bytes: Buffer.concat(begun), whole: false }
}

function lineOf(bytes: Buffer, number: number, whole: boolean): Line {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const crlf = whole && bytes.at(-2) === 0x0d
  const end = bytes.length - (whole ? 1 : 0) - (crlf ? 1 : 0)
  return { text: bytes.toString('utf8', bom ? 3 : 0, end), number, bytes: bytes.length, whole, bom, crlf }
}
