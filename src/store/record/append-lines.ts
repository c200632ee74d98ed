import { closeSync, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../io/atomic-write.ts'
import { fileError } from '../../io/file-error.ts'
import { openToAppendInside } from '../../io/inside.ts'

/**
 * Appends lines to a file below a conversation's folder and fsyncs it. Missing folders and a missing file are made. A
 * torn line at the end of the file stays as it is: the first new line begins after a line break. All lines go in one
 * write, so that appends of several processes do not mix even without the lock. All callers hold a lock, so that no
 * other process appends between the check for a torn line and the write. On a full disk the part that was written is
 * taken back. No line may contain a line break. Throws `disk-full`, `unwritable` and `unsafe-path`.
 */
export function appendLines(folder: string, path: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  const file = join(folder, path)
  const broken = lines.findIndex((line) => line.includes('\n'))
  if (broken !== -1) throw new RangeError(`line ${broken} to append to ${file} contains a line break`)
  try {
    const fd = openToAppendInside(folder, path)
    try {
      const { size } = fstatSync(fd)
      writeWhole(fd, bytesOf(lines, isTorn(fd, size) ? '\n' : ''), size)
      fsyncSync(fd)
      if (size === 0) syncFolder(dirname(file))
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw fileError(error, file, 'write')
  }
}

/** Returns the lines as bytes. They are copied only once, because a line may take half of all memory. */
function bytesOf(lines: readonly string[], before: string): Buffer {
  const bytes = Buffer.allocUnsafe(
    lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, before.length),
  )
  let offset = bytes.write(before)
  for (const line of lines) {
    offset += bytes.write(line, offset)
    offset += bytes.write('\n', offset)
  }
  return bytes
}

function isTorn(fd: number, size: number): boolean {
  if (size === 0) return false
  const last = Buffer.alloc(1)
  readSync(fd, last, 0, 1, size - 1)
  return last[0] !== 0x0a
}

function writeWhole(fd: number, bytes: Buffer, before: number): void {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
  } catch (error) {
    // Only our own part is taken back: if another process has appended too, nothing is cut.
    if (fstatSync(fd).size === before + written) ftruncateSync(fd, before)
    throw error
  }
}
