import { closeSync, readSync, statSync } from 'node:fs'
import { openRegular } from '../../../io/regular-file.ts'
import { fieldsOf, jsonIn, textOf } from './fields.ts'

const HEAD_BYTES = 64 * 1024
const TAIL_BYTES = 16 * 1024
/** As far from the end the last time is looked for if the tail is within a line. */
const FURTHER_BYTES = 1024 * 1024

/** The two ends of a file. `head` and `tail` do not overlap. Together they are the whole of a short file. */
export interface FileEnds {
  path: string
  bytes: number
  /** The time of the last line that has one, in ISO 8601 under `timestamp`; else the file's time. */
  lastActive: Date
  head: Uint8Array
  tail: Uint8Array
}

/**
 * Reads the first 64 KiB (or `headBytes`) and the last 16 KiB of a transcript. Undefined when the file is gone or
 * unreadable.
 */
export function readEnds(path: string, headBytes: number = HEAD_BYTES): FileEnds | undefined {
  let file: number | undefined
  try {
    const { size, mtime } = statSync(path)
    file = openRegular(path)
    if (file === undefined) return undefined
    const head = readAt(file, 0, Math.min(size, headBytes))
    const tail = readAt(
      file,
      Math.max(head.length, size - TAIL_BYTES),
      Math.min(TAIL_BYTES, size - head.length),
    )
    const further = () => readAt(file!, Math.max(0, size - FURTHER_BYTES), Math.min(size, FURTHER_BYTES))
    const lastActive = lastTimeIn(tail.length > 0 ? tail : head) ?? lastTimeIn(further()) ?? mtime
    return { path, bytes: size, lastActive, head, tail }
  } catch {
    // Lists of sessions leave out a file that nobody can read.
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** A file's own time says when it was copied or restored, so it is only used where no line has a time. */
function lastTimeIn(end: Uint8Array): Date | undefined {
  const lines = Buffer.from(end).toString('utf8').split('\n')
  for (const line of lines.reverse()) {
    if (!line.includes('"timestamp"')) continue
    // The first line of the tail is only the end of a line, and the last one may still be being written.
    const time = new Date(textOf(fieldsOf(jsonIn(line)).timestamp))
    if (!Number.isNaN(time.getTime())) return time
  }
  return undefined
}

/** The text of a field in the raw bytes of a head, which may end within the first record; '' if it is not there. */
export function quotedIn(head: Uint8Array, field: string): string {
  const [, quoted = ''] =
    new RegExp(`"${field}":\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(Buffer.from(head).toString('utf8')) ?? []
  return textOf(jsonIn(quoted))
}

function readAt(file: number, position: number, length: number): Buffer {
  if (length <= 0) return Buffer.alloc(0)
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(file, buffer, 0, length, position))
}
