import { closeSync, openSync, readSync, statSync } from 'node:fs'

const HEAD = 64 * 1024
const TAIL = 16 * 1024

/** The two ends of a file that is not read whole. `head` and `tail` do not overlap. */
export interface FileEnds {
  path: string
  bytes: number
  lastActive: Date
  head: Uint8Array
  tail: Uint8Array
}

/**
 * Reads the first 64 KiB (or `most` bytes) and the last 16 KiB of a transcript. Undefined when it is gone or
 * unreadable.
 */
export function readEnds(path: string, most: number = HEAD): FileEnds | undefined {
  let file: number | undefined
  try {
    const { size, mtime } = statSync(path)
    file = openSync(path, 'r')
    const head = readAt(file, 0, Math.min(size, most))
    const tail = readAt(file, Math.max(head.length, size - TAIL), Math.min(TAIL, size - head.length))
    return { path, bytes: size, lastActive: mtime, head, tail }
  } catch {
    // A list to choose from leaves such a session out.
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  if (length <= 0) return Buffer.alloc(0)
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(file, buffer, 0, length, position))
}
