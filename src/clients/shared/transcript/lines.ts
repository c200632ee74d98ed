import { MAX_LINE } from '../../../io/regular-file.ts'
import { parseForeign } from '../../../text/nesting.ts'
import { type Fields, isObject, textOf } from './fields.ts'

/** One line of a transcript, with its line break. Where a line has several records, each of them is a `Line`. */
export interface Line {
  /** Counted from 0, in the whole transcript. */
  readonly number: number
  /**
   * The place in the talk. This is the line's number, or a lower one for a line that was written too late
   * (claude/read/message-order.ts). A record after another one on the same line has a fraction.
   */
  readonly seq: number
  /** Byte offset in the bytes that were split. */
  readonly start: number
  readonly bytes: Uint8Array
  readonly content:
    | { readonly kind: 'record'; readonly record: Fields }
    | { readonly kind: 'blank' }
    /** The line is JSON but not an object. */
    | { readonly kind: 'value'; readonly value: unknown }
    /** The line is not JSON: it is damaged, it is the last line and is still being written, or it is too long. */
    | { readonly kind: 'unreadable' }
}

const LINE_BREAK = 10
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d]
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Splits a segment into lines. It goes from the byte offset `from` (included) to `to` (excluded). A segment may begin
 * and end anywhere; every byte of it is in exactly one line. `first` is the number of the line at byte 0.
 */
export function splitLines(bytes: Uint8Array, from = 0, to = bytes.length, first = 0): Line[] {
  return [...eachLine(bytes, from, to, first)]
}

/** Like `splitLines`, one line after another, for callers that may need only some of them. */
export function* eachLine(bytes: Uint8Array, from = 0, to = bytes.length, first = 0): Generator<Line> {
  const buffer = bufferOf(bytes)
  const end = clamp(to, 0, buffer.length)
  let start = clamp(from, 0, end)
  let number = first + countLineBreaks(buffer, start)
  const earlier: Fields[] = []
  while (start < end) {
    const found = buffer.indexOf(LINE_BREAK, start)
    const next = found === -1 || found >= end ? end : found + 1
    const line = buffer.subarray(start, next)
    const isLong = line.length > MAX_LINE
    const content: Line['content'] = isLong ? { kind: 'unreadable' } : parse(line.toString('utf8'))
    const begin = start === 0 ? 0 : buffer.lastIndexOf(LINE_BREAK, start - 1) + 1
    if (content.kind === 'unreadable' && !isLong) yield* eachOf(line, number, start, start - begin, earlier)
    else yield { number, seq: seqAt(number, start - begin), start, bytes: line, content }
    if (content.kind === 'record') earlier[number % NEAR_RECORDS] = content.record
    number++
    start = next
  }
}

/**
 * The complete records in a line that as a whole is not JSON, and what is between them. Two processes that write at
 * once, and a client that was killed before it wrote a line break, leave several records on one line, or a record after
 * a torn one (seen in sessions of Pi; Qwen Code 0.24.4 reads them too). The line goes on from the byte `offset` of the
 * whole line.
 */
function* eachOf(
  line: Buffer,
  number: number,
  start: number,
  offset: number,
  earlier: readonly Fields[],
): Generator<Line> {
  for (const [from, end] of piecesOf(line, earlier)) {
    const piece = line.subarray(from, end)
    yield {
      number,
      seq: seqAt(number, offset + from),
      start: start + from,
      bytes: piece,
      content: parse(piece.toString('utf8')),
    }
  }
}

function piecesOf(line: Buffer, earlier: readonly Fields[]): [from: number, end: number][] {
  const pieces: [number, number][] = []
  let from = 0
  for (let end = 0; from < line.length && end !== line.length; from = end) {
    end = endOfRecord(line, from)
    pieces.push([from, end])
  }
  // A line without its break may still be written: then an object at its end is a part of a record.
  if (pieces.length > 0 && line.at(-1) === LINE_BREAK)
    pieces.push(...afterTorn(line, pieces.pop()![0], earlier))
  return pieces
}

/**
 * Cuts the rest of a line into a torn record and the complete records after it, which are found from the end. An object
 * in the torn record is none: it has fewer keys in common with the records of earlier lines.
 */
function afterTorn(line: Buffer, from: number, earlier: readonly Fields[]): [from: number, end: number][] {
  const found: [number, number][] = []
  let [end, effort] = [line.length, MAX_EFFORT * line.length]
  for (
    let at = line.lastIndexOf('{"', end - 1);
    at > from && effort > 0;
    at = line.lastIndexOf('{"', at - 1)
  ) {
    const last = endOfRecord(line, at)
    effort -= last - at
    if (last !== end || !isLike(line.toString('utf8', at, end), earlier)) continue
    found.unshift([at, end])
    end = at
  }
  return [[from, end], ...found]
}

/** How often the bytes of a torn line are looked at, at most. Each object is looked at once more than the one around it. */
const MAX_EFFORT = 64
/** The record after a torn one is compared with so many earlier ones. */
const NEAR_RECORDS = 8
const COMMON_KEYS = 3

function isLike(text: string, earlier: readonly Fields[]): boolean {
  const content = parse(text)
  if (content.kind !== 'record') return false
  const keys = Object.keys(content.record)
  return earlier.some((one) => keys.filter((key) => Object.hasOwn(one, key)).length >= COMMON_KEYS)
}

/** The end of a complete record and of the white space after it; the end of the line where none begins at `from`. */
function endOfRecord(line: Buffer, from: number): number {
  let depth = 0
  for (let index = from; index < line.length; index++) {
    const byte = line[index]
    if (byte === QUOTE) {
      index = endOfText(line, index)
      if (index === -1) break
    } else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) {
      const isRecord = parse(line.toString('utf8', from, index + 1)).kind === 'record'
      return isRecord ? afterSpace(line, index + 1) : line.length
    }
  }
  return line.length
}

/** The index of the quotation mark that ends a text, or -1. */
export function endOfText(line: Buffer, begin: number): number {
  for (let end = line.indexOf(QUOTE, begin + 1); end !== -1; end = line.indexOf(QUOTE, end + 1)) {
    let escapes = 0
    while (line[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}

function afterSpace(line: Buffer, from: number): number {
  let next = from
  while (next < line.length && line[next]! <= 0x20) next++
  return next
}

/** The fraction is exact for lines below two million and offsets below 4 GB, so the order of records is kept. */
function seqAt(number: number, offset: number): number {
  return number + offset / 2 ** 32
}

/** Returns the same bytes as a Buffer, without copying them. A Buffer can be searched. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function countLineBreaks(buffer: Buffer, end: number): number {
  let count = 0
  for (
    let index = buffer.indexOf(LINE_BREAK);
    index !== -1 && index < end;
    index = buffer.indexOf(LINE_BREAK, index + 1)
  )
    count++
  return count
}

function parse(text: string): Line['content'] {
  const json = withoutPadding(text)
  let value: unknown
  try {
    value = parseForeign(json)
  } catch {
    return NOTHING.test(json) ? { kind: 'blank' } : { kind: 'unreadable' }
  }
  return isObject(value) ? { kind: 'record', record: value } : { kind: 'value', value }
}

/** Space, and bytes that are in no UTF-8: `delete` has written them over a line (blank-journal.ts in store/machine/). */
const NOTHING = /^[\s\ufffd]*$/

/** A file may begin with a byte order mark, and a crash of the system leaves zeros in a file. */
function withoutPadding(text: string): string {
  let [from, to] = [text.startsWith(BYTE_ORDER_MARK) ? 1 : 0, text.length]
  while (text[from] === '\0') from++
  while (to > from && (text[to - 1] === '\0' || text[to - 1] === '\n')) to--
  return text.slice(from, to)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** The first text that `textIn` finds in the records of a transcript, such as an id. Undefined when it finds none. */
export function firstText(bytes: Uint8Array, textIn: (record: Fields) => unknown): string | undefined {
  for (const { content } of eachLine(bytes)) {
    const text = content.kind === 'record' ? textOf(textIn(content.record)) : ''
    if (text !== '') return text
  }
  return undefined
}
