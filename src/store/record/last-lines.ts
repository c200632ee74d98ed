import { closeSync, fstatSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../io/file-error.ts'
import { openInside } from '../../io/inside.ts'

/**
 * The lines that are whole within the last `maxBytes` bytes of a file of the record, oldest first. `path` is relative
 * to the conversation's folder. A missing file has no lines. Throws `unreadable` and `unsafe-path`.
 */
export function lastLines(folder: string, path: string, maxBytes: number): string[] {
  const fd = openInside(folder, path)
  if (fd === undefined) return []
  try {
    const size = fstatSync(fd).size
    const from = Math.max(0, size - maxBytes)
    const bytes = Buffer.alloc(size - from)
    const length = readSync(fd, bytes, 0, bytes.length, from)
    const text = bytes.subarray(0, length).toString('utf8')
    const whole = from === 0 ? text : text.slice(text.indexOf('\n') + 1 || text.length)
    return whole.split('\n').filter((line) => line !== '')
  } catch (error) {
    throw fileError(error, join(folder, path), 'read')
  } finally {
    closeSync(fd)
  }
}
