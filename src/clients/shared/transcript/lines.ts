import { parseForeign } from '../../../text/nesting.ts'
import { type Fields, isObject } from './fields.ts'

/** One line of a transcript, with its line break. */
export interface Line {
  /** Counted from 0, in the whole transcript. */
  readonly number: number
  /**
   * The place in the talk. This is the line's number, or a lower one for a line that was written too late
   * (claude/read/message-order.ts).
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
    /** The line is not JSON: it is damaged, or it is the last line and is still being written. */
    | { readonly kind: 'unreadable' }
}

const LINE_BREAK = 10
const BYTE_ORDER_MARK = 0xfeff

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
  while (start < end) {
    const found = buffer.indexOf(LINE_BREAK, start)
    const next = found === -1 || found >= end ? end : found + 1
    const line = buffer.subarray(start, next)
    yield { number, seq: number, start, bytes: line, content: parse(line.toString('utf8')) }
    number++
    start = next
  }
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
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  let value: unknown
  try {
    value = parseForeign(json)
  } catch {
    return json.trim() === '' ? { kind: 'blank' } : { kind: 'unreadable' }
  }
  return isObject(value) ? { kind: 'record', record: value } : { kind: 'value', value }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
