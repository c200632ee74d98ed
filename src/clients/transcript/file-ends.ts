import { closeSync, openSync, readSync, statSync } from 'node:fs'

const HEAD = 64 * 1024
const TAIL = 16 * 1024

/** What is known of a file without reading all of it: `head` and `tail` do not overlap. */
export interface FileEnds {
  path: string
  bytes: number
  lastActive: Date
  head: Uint8Array
  tail: Uint8Array
}

/** The first 64 KiB (or `most` bytes) and the last 16 KiB of a transcript; undefined when it went away or cannot be read. */
export function readEnds(path: string, most: number = HEAD): FileEnds | undefined {
  let file: number | undefined
  try {
    const { size, mtime } = statSync(path)
    file = openSync(path, 'r')
    const head = readAt(file, 0, Math.min(size, most))
    const tail = readAt(file, Math.max(head.length, size - TAIL), Math.min(TAIL, size - head.length))
    return { path, bytes: size, lastActive: mtime, head, tail }
  } catch {
    // No session then, for a list to choose from.
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
