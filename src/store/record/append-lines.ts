import { closeSync, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../io/atomic-write.ts'
import { fileError } from '../../io/file-error.ts'
import { openToAppendInside } from '../../io/inside.ts'
import { jsonPieces } from '../../text/json-pieces.ts'

/**
 * Appends values to a file below a conversation's folder, one line of JSON each, and fsyncs it. Missing folders and a
 * missing file are made. If the file ends in a torn line, that line stays as it is, and the first new line begins after
 * a line break. Up to 4 MB go in one write, so that appends of several processes do not mix even without the lock. All
 * callers hold a lock, so that no other process appends between the check for a torn line and the write, or between the
 * writes of more. On a full disk the part that was written is taken back. Throws `disk-full`, `unwritable` and
 * `unsafe-path`.
 */
export function appendLines(folder: string, path: string, values: readonly unknown[]): void {
  if (values.length === 0) return
  const file = join(folder, path)
  try {
    const fd = openToAppendInside(folder, path)
    try {
      const { size } = fstatSync(fd)
      writeWhole(fd, bytesOf(values, isTorn(fd, size) ? '\n' : ''), size)
      fsyncSync(fd)
      if (size === 0) syncFolder(dirname(file))
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw fileError(error, file, 'write')
  }
}

/** The lines as bytes, for one write after another. A line may be as long as half of all memory. */
function* bytesOf(values: readonly unknown[], before: string): Generator<Buffer> {
  let pieces = [before]
  let length = before.length
  for (const value of values) {
    for (const piece of jsonPieces(value)) {
      pieces.push(piece)
      length += piece.length
      if (length < WRITTEN_LENGTH) continue
      yield Buffer.from(pieces.join(''))
      pieces = []
      length = 0
    }
    pieces.push('\n')
  }
  yield Buffer.from(pieces.join(''))
}

const WRITTEN_LENGTH = 4 * 1024 * 1024

function isTorn(fd: number, size: number): boolean {
  if (size === 0) return false
  const last = Buffer.alloc(1)
  readSync(fd, last, 0, 1, size - 1)
  return last[0] !== 0x0a
}

function writeWhole(fd: number, parts: Iterable<Buffer>, before: number): void {
  let written = 0
  try {
    for (const bytes of parts)
      for (let from = 0; from < bytes.length; ) {
        const count = writeSync(fd, bytes, from)
        from += count
        written += count
      }
  } catch (error) {
    // Only our own part is taken back: if another process has appended too, nothing is cut.
    if (fstatSync(fd).size === before + written) ftruncateSync(fd, before)
    throw error
  }
}
