import { isAscii, isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, readSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { accessFile } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'
import { plain } from '../../text/without-accents.ts'

/**
 * Reports each line of a file in which `pattern` matches, with its number from 0; `path` is below the conversation's
 * folder. The pattern must be global (`g`), and its matches must not be empty or contain a line break. It is matched
 * against the plain text (text/without-accents.ts), and the plain line is reported. Without `signs`, a dash or an emoji
 * may be another sign in this line. A missing file has no lines. The file is read in small pieces into the same memory,
 * because new memory would take much longer. Returns the number of all lines. Throws `unreadable` and `unsafe-path`.
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
    const text = plainText(piece, signs)
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

/** Where a line is in a file, in bytes, without its line break. */
export interface LinePlace {
  number: number
  from: number
  to: number
}

/**
 * Reports these lines of a file, which are in order, as `eachMatchingLine` reports them. Reports nothing and returns
 * false if `isSame` is false for the file as it is now. Throws what eachMatchingLine throws.
 */
export function eachLineAt(
  folder: string,
  path: string,
  isSame: (stats: Stats) => boolean,
  places: readonly LinePlace[],
  report: (line: string, number: number) => void,
  { signs = false } = {},
): boolean {
  const fd = openInside(folder, path)
  if (fd === undefined) return false
  const file = join(folder, path)
  try {
    if (!isSame(accessFile(file, 'read', () => fstatSync(fd)))) return false
    for (let first = 0, next = 1; first < places.length; first = next, next += 1) {
      const { from } = places[first]!
      while (next < places.length && places[next]!.from - places[next - 1]!.to < NEAR_BYTES) next += 1
      // If the file has just become shorter, zeros are in the place of its end.
      const bytes = Buffer.alloc(places[next - 1]!.to - from)
      accessFile(file, 'read', () => readSync(fd, bytes, 0, bytes.length, from))
      for (const { number, ...place } of places.slice(first, next))
        report(plainText(bytes.subarray(place.from - from, place.to - from), signs), number)
    }
    return true
  } finally {
    closeSync(fd)
  }
}

/** Lines that are not further apart are read at once. */
const NEAR_BYTES = 16 * 1024

/**
 * Reports every line of a file as `eachMatchingLine` does, with its place. Returns the stats of the file; undefined if
 * there is none, or `isMeant` is false for it. Throws what eachMatchingLine throws.
 */
export function eachLine(
  folder: string,
  path: string,
  isMeant: (stats: Stats) => boolean,
  report: (line: string, place: LinePlace) => void,
): Stats | undefined {
  let stats: Stats | undefined
  let [number, begin] = [0, 0]
  const isRead = (opened: Stats) => {
    if (!isMeant(opened)) return false
    stats = opened
    return true
  }
  for (const piece of piecesOf(folder, path, isRead)) {
    const lines = plainText(piece, false).split('\n')
    for (let from = 0, line = 0; from < piece.length; number += 1, line += 1) {
      const found = piece.indexOf(BREAK, from)
      const to = found === -1 ? piece.length : found
      report(lines[line]!, { number, from: begin + from, to: begin + to })
      from = to + 1
    }
    begin += piece.length
  }
  return stats
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
 * beginning of a buffer, so that `hasFurtherLetters` reads four bytes at a time. A piece is valid until the next one
 * is read.
 */
function* piecesOf(
  folder: string,
  path: string,
  isRead: (stats: Stats) => boolean = () => true,
): Generator<Buffer> {
  const fd = openInside(folder, path)
  if (fd === undefined) return
  const file = join(folder, path)
  try {
    if (!isRead(accessFile(file, 'read', () => fstatSync(fd)))) return
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
 * The plain text of a piece of a file, with the letters of escapes such as `\u00e9`: some programs write all letters
 * beyond ASCII in this way. Without `signs`, each dash, quote or emoji is one or two characters that stand for nothing.
 * This takes less time, and every word is at the same place. So a line has the same words alone as in a piece.
 */
function plainText(piece: Buffer, signs: boolean): string {
  const bytes = piece.toString('latin1')
  if (bytes.includes('\\u') && ESCAPED.test(bytes)) return plain(withoutEscapes(piece.toString()))
  if (isAscii(piece)) return bytes
  return signs || hasFurtherLetters(piece) || FURTHER_LETTERS.test(bytes) || !isUtf8(piece)
    ? plain(piece.toString())
    : bytes.replace(CHARACTERS, asWestern)
}

/** The bytes of the characters beyond ASCII in a text that has none of `FURTHER_LETTERS`. */
const CHARACTERS = /[\xc2\xc3][\x80-\xbf]|[\xe2\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g
/**
 * The first bytes of letters among signs, joined and wide ones, and Chinese ones for compatibility: those that `plain`
 * changes, or that search/words.ts takes for letters.
 */
const FURTHER_LETTERS = /\xe2\xb1|\xef[\xa4-\xac\xbc-\xbe]/

/** A letter of Western Europe, or as many signs as the character has units of UTF-16. */
function asWestern(bytes: string): string {
  if (bytes.length > 2) return bytes.length === 3 ? SIGN : SIGN + SIGN
  const unit = bytes.charCodeAt(1) + (bytes.charCodeAt(0) === 0xc3 ? 0x40 : 0)
  WESTERN[unit] ??= plain(String.fromCharCode(unit))
  return WESTERN[unit]
}

const SIGN = '\x80'
const WESTERN: string[] = []

/**
 * Whether the piece contains the first byte of a letter beyond `ÿ`; signs begin with C2, E2, EF and F0. Most bytes are
 * ASCII, so they are skipped 32 at a time, which takes less than half the time of a regular expression.
 */
function hasFurtherLetters(piece: Buffer): boolean {
  if (piece.byteOffset % 4 !== 0) return hasFurtherLetter(piece, 0, piece.length)
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

function withoutEscapes(text: string): string {
  return text.replace(
    ESCAPES,
    (_, before: string, code: string) => before + String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Escapes of characters beyond ASCII, except line breaks. A backslash that is itself escaped begins none. */
const ESCAPED = /(?<!\\)(?:\\\\)*\\u(?!00[0-7]|202[89])[0-9a-fA-F]{4}/
const ESCAPES = /(?<!\\)((?:\\\\)*)\\u((?!00[0-7]|202[89])[0-9a-fA-F]{4})/g

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
