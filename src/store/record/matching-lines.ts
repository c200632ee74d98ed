import { isAscii } from 'node:buffer'
import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { accessFile } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'
import { plain } from '../../text/plain.ts'

/**
 * Reports each line of a file in which `pattern` matches, with its number from 0; `path` is below the conversation's
 * folder. The pattern must be global (`g`), and its matches must not be empty or contain a line break. It is matched
 * against the plain text (text/plain.ts), and the plain line is reported. Without `signs`, the bytes of a dash or an
 * emoji may be in this line as single characters. A missing file has no lines. The file is read in small pieces into
 * the same memory, because new memory would take much longer. Returns the number of all lines. Throws `unreadable` and
 * `unsafe-path`.
 */
export function eachMatchingLine(
  folder: string,
  path: string,
  pattern: RegExp,
  report: (line: string, number: number) => void,
  { signs = false } = {},
): number {
  let lines = 0
  for (const piece of piecesOf(folder, path)) {
    const text = signs ? plain(piece.toString()) : withoutEscapes(plainWords(piece))
    let offset = 0
    pattern.lastIndex = 0
    while (pattern.test(text)) {
      const last = pattern.lastIndex - 1
      const start = text.lastIndexOf('\n', last) + 1
      lines += breaksIn(text, offset, start)
      offset = endOf(text, last)
      report(text.slice(start, offset), lines)
      pattern.lastIndex = offset
    }
    lines += breaksIn(text, offset, text.length)
    if (!text.endsWith('\n')) lines += 1
  }
  return lines
}

/** The lines with these numbers, as they are in the file. Throws what eachMatchingLine throws. */
export function linesAt(folder: string, path: string, numbers: ReadonlySet<number>): Map<number, string> {
  const found = new Map<number, string>()
  let number = 0
  for (const piece of piecesOf(folder, path)) {
    if (found.size === numbers.size) break
    // Text with one character per byte is the fastest to search, and its indexes are byte offsets.
    const bytes = piece.toString('latin1')
    for (let offset = 0; offset < bytes.length; number += 1) {
      const end = endOf(bytes, offset)
      if (numbers.has(number)) found.set(number, piece.toString('utf8', offset, end))
      offset = end + 1
    }
  }
  return found
}

/**
 * Whether `test` is true for some piece of a file. It gets the piece as text with one character per byte. A piece has
 * whole lines. Throws what eachMatchingLine throws.
 */
export function somePiece(folder: string, path: string, test: (bytes: string) => boolean): boolean {
  for (const piece of piecesOf(folder, path)) if (test(piece.toString('latin1'))) return true
  return false
}

const PIECE_BYTES = 64 * 1024
const BREAK = 0x0a

/**
 * Yields the bytes in pieces of whole lines; only the last piece may lack its line break. Each piece begins at the
 * beginning of a buffer, so that `hasFurtherLetters` can read four bytes at a time. A piece is valid until the next one
 * is read.
 */
function* piecesOf(folder: string, path: string): Generator<Buffer> {
  const fd = openInside(folder, path)
  if (fd === undefined) return
  const file = join(folder, path)
  try {
    let buffer = Buffer.allocUnsafe(PIECE_BYTES)
    let carried = 0
    while (true) {
      if (carried === buffer.length) buffer = Buffer.concat([buffer], 2 * carried)
      const [into, from] = [buffer, carried]
      const read = accessFile(file, 'read', () => readSync(fd, into, from, into.length - from, null))
      const filled = carried + read
      const end = read === 0 ? filled : buffer.lastIndexOf(BREAK, filled - 1) + 1
      if (end > 0) yield buffer.subarray(0, end)
      if (read === 0) return
      buffer.copyWithin(0, end, filled)
      carried = filled - end
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * The plain text of a piece. For most languages of Western Europe, a text with one character per byte is enough, and
 * searching it takes a third of the time. Dashes, quotes, emoji and other signs stay in this text as bytes, which do
 * not count as letters.
 */
function plainWords(piece: Buffer): string {
  const bytes = piece.toString('latin1')
  if (isAscii(piece)) return bytes
  if (hasFurtherLetters(piece)) return plain(piece.toString())
  return bytes.includes('\xc3') ? bytes.replace(WESTERN_LETTERS, plainWestern) : bytes
}

/** The bytes of `À` to `ÿ` in UTF-8. */
const WESTERN_LETTERS = /\xc3[\x80-\xbf]/g

/**
 * Whether the piece contains the first byte of a letter beyond `ÿ`; signs begin with C2, E2, EF and F0. Most bytes are
 * ASCII, so they are skipped 32 at a time, which takes less than half the time of a regular expression.
 */
function hasFurtherLetters(piece: Buffer): boolean {
  const words = new Int32Array(piece.buffer, piece.byteOffset, piece.length >>> 2)
  const rows = words.length >>> 3
  for (let row = 0; row < rows; row += 1) {
    const offset = row * 8
    const first = words[offset]! | words[offset + 1]! | words[offset + 2]! | words[offset + 3]!
    const second = words[offset + 4]! | words[offset + 5]! | words[offset + 6]! | words[offset + 7]!
    if (((first | second) & HIGH_BITS) !== 0 && hasFurtherLetter(piece, row * 32, row * 32 + 32)) return true
  }
  return hasFurtherLetter(piece, rows * 32, piece.length)
}

const HIGH_BITS = 0x80808080

function hasFurtherLetter(piece: Buffer, from: number, to: number): boolean {
  for (let offset = from; offset < to; offset += 1) {
    const byte = piece[offset]!
    if (byte >= 0xc4 && byte <= 0xee && byte !== 0xe2) return true
  }
  return false
}

function plainWestern(bytes: string): string {
  const second = bytes.charCodeAt(1)
  WESTERN[second] ??= plain(String.fromCharCode(second + 0x40))
  return WESTERN[second]
}

const WESTERN: string[] = []

/**
 * Replaces escapes such as `\u00e9` by their letters, because some programs write all letters beyond ASCII in this way.
 */
function withoutEscapes(text: string): string {
  if (!text.includes('\\u') || !ESCAPED.test(text)) return text
  return plain(text.replace(ESCAPES, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))))
}

/** Escapes of characters beyond ASCII, except line breaks. */
const ESCAPED = /\\u(?!00[0-7]|202[89])[0-9a-fA-F]{4}/
const ESCAPES = /\\u((?!00[0-7]|202[89])[0-9a-fA-F]{4})/g

function breaksIn(text: string, from: number, to: number): number {
  let count = 0
  for (
    let index = text.indexOf('\n', from);
    index !== -1 && index < to;
    index = text.indexOf('\n', index + 1)
  )
    count += 1
  return count
}

function endOf(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end
}
