import { isAscii } from 'node:buffer'
import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'
import { plain } from '../../text/plain.ts'

/** How much there was to look through. */
export interface Looked {
  lines: number
  characters: number
}

/**
 * Tells the lines of a file below a conversation's folder in which a pattern (`g`, nothing in it is empty or a line
 * break) matches, with their numbers from 0. It is looked for in the plain text, and told is the plain line
 * (text/plain.ts), in which signs beyond ASCII are whole only where `signs` are looked for. A missing file has no lines.
 * The file is read in small pieces, because memory that is used again costs a fraction of what new memory costs. Throws
 * `unreadable` and `unsafe-path`.
 */
export function eachMatchingLine(
  folder: string,
  path: string,
  pattern: RegExp,
  tell: (line: string, number: number) => void,
  { signs = false } = {},
): Looked {
  const looked = { lines: 0, characters: 0 }
  for (const piece of piecesOf(folder, path)) {
    const text = signs ? plain(piece.toString()) : withoutEscapes(plainWords(piece))
    looked.characters += text.length
    let at = 0
    pattern.lastIndex = 0
    while (pattern.test(text)) {
      const last = pattern.lastIndex - 1
      const start = text.lastIndexOf('\n', last) + 1
      looked.lines += breaksIn(text, at, start)
      at = endOf(text, last)
      tell(text.slice(start, at), looked.lines)
      pattern.lastIndex = at
    }
    looked.lines += breaksIn(text, at, text.length)
    if (!text.endsWith('\n')) looked.lines += 1
  }
  return looked
}

/** The lines with these numbers, as they are in the file. Throws what eachMatchingLine throws. */
export function linesAt(folder: string, path: string, numbers: ReadonlySet<number>): Map<number, string> {
  const found = new Map<number, string>()
  let number = 0
  for (const piece of piecesOf(folder, path)) {
    if (found.size === numbers.size) break
    // One character a byte is the fastest to look through, and gives the places of bytes.
    const bytes = piece.toString('latin1')
    for (let at = 0; at < bytes.length; number += 1) {
      const end = endOf(bytes, at)
      if (numbers.has(number)) found.set(number, piece.toString('utf8', at, end))
      at = end + 1
    }
  }
  return found
}

const PIECE = 64 * 1024
const BREAK = 0x0a

/**
 * The bytes in pieces of whole lines, from the beginning of their buffer; only the last one may lack its line break. A
 * piece holds until the next one.
 */
function* piecesOf(folder: string, path: string): Generator<Buffer> {
  const fd = openInside(folder, path)
  if (fd === undefined) return
  const file = join(folder, path)
  try {
    let buffer = Buffer.allocUnsafe(PIECE)
    let held = 0
    while (true) {
      if (held === buffer.length) buffer = Buffer.concat([buffer], 2 * held)
      const read = readInto(buffer, held, fd, file)
      const filled = held + read
      const end = read === 0 ? filled : buffer.lastIndexOf(BREAK, filled - 1) + 1
      if (end > 0) yield buffer.subarray(0, end)
      if (read === 0) return
      buffer.copyWithin(0, end, filled)
      held = filled - end
    }
  } finally {
    closeSync(fd)
  }
}

function readInto(buffer: Buffer, offset: number, fd: number, file: string): number {
  try {
    return readSync(fd, buffer, offset, buffer.length - offset, null)
  } catch (error) {
    throw fileError(error, file, 'read')
  }
}

/**
 * The plain text of a piece. In most languages of Western Europe it is made byte by byte, and the bytes of dashes,
 * quotes, emoji and other signs mark these, because none of them is a letter: a text with one byte a character is
 * searched in a third of the time.
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
 * Whether there is the first byte of any other letter; signs begin with C2, E2, EF and F0. Most bytes are ASCII, and 32
 * of them at a time are passed over in less than half of the time of a regular expression.
 */
function hasFurtherLetters(piece: Buffer): boolean {
  const words = new Int32Array(piece.buffer, piece.byteOffset, piece.length >>> 2)
  const rows = words.length >>> 3
  for (let row = 0; row < rows; row += 1) {
    const at = row * 8
    const first = words[at]! | words[at + 1]! | words[at + 2]! | words[at + 3]!
    const second = words[at + 4]! | words[at + 5]! | words[at + 6]! | words[at + 7]!
    if (((first | second) & HIGH_BITS) !== 0 && hasFurtherLetter(piece, row * 32, row * 32 + 32)) return true
  }
  return hasFurtherLetter(piece, rows * 32, piece.length)
}

const HIGH_BITS = 0x80808080

function hasFurtherLetter(piece: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = piece[at]!
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

/** Some programs write every letter that is not ASCII as an escape. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\u') || !ESCAPED.test(text)) return text
  return plain(text.replace(ESCAPES, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))))
}

/** Escapes of anything but ASCII and of no line break. */
const ESCAPED = /\\u(?!00[0-7]|202[89])[0-9a-fA-F]{4}/
const ESCAPES = /\\u((?!00[0-7]|202[89])[0-9a-fA-F]{4})/g

function breaksIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function endOf(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
