import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { CortextError } from '../errors.ts'
import { paste } from '../text/paste.ts'
import { accessFile, errnoOf, fileError, readAndClose } from './file-error.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Reads files and appends to files that may be reached through links, such as a person's settings and the files of the
 * local folder. Anything but a regular file throws `unsafe-path`: at a named pipe the program would wait for another
 * program, and a device may never end.
 */

/**
 * Opens a file of at most `maxBytes` bytes for reading; undefined when there is none. The caller closes it. `flags` are
 * further flags of `open`. Throws `unsafe-path` or `unreadable`.
 */
export function openRegular(
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY, flags = 0 } = {},
): number | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw fileError(error, path, 'read')
  }
  try {
    checkRegular(fd, path, maxBytes)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/**
 * The bytes of a file of at most `maxBytes` bytes; undefined when there is none. Throws `unsafe-path` or `unreadable`.
 */
export function readRegular(path: string, maxBytes?: number): Buffer | undefined {
  const fd = openRegular(path, { maxBytes })
  return fd === undefined ? undefined : readAndClose(fd, path, () => readFileSync(fd))
}

/**
 * The text of a file of at most `maxBytes` bytes; undefined when there is none. Throws `unsafe-path` or `unreadable`.
 */
export function readText(path: string, maxBytes?: number): string | undefined {
  const bytes = readRegular(path, maxBytes)
  return accessFile(path, 'read', () => bytes?.toString('utf8'))
}

/** The text of the first bytes of a file; '' when there is none. Throws `unsafe-path` or `unreadable`. */
export function readBeginning(path: string, length: number): string {
  const fd = openRegular(path)
  if (fd === undefined) return ''
  const bytes = Buffer.alloc(length)
  return bytes.toString(
    'utf8',
    0,
    readAndClose(fd, path, () => readSync(fd, bytes, 0, length, 0)),
  )
}

/** The stats of a file. Undefined when there is none, also when this user cannot get to it. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // For example, a folder on the way is a file, as below a home of /dev/null, or may not be entered.
    return undefined
  }
}

/**
 * The longest line of a client's file that is read, in bytes. No model takes a message of this length. Node makes no
 * text of more than 512 MB.
 */
export const MAX_LINE = 256 * 1024 * 1024

/**
 * Reads the bytes `from`..`to` of a file with lines. A line that is longer than MAX_LINE is not read: in its place are
 * zeros, and its line break. Zeros that nobody has written take no memory, so memory does not grow with such a line.
 * `read` returns fewer bytes where the file ends.
 */
export function readLines(
  read: (offset: number, length: number) => Buffer,
  from: number,
  to: number,
  longest = MAX_LINE,
): Buffer {
  if (to - from <= longest) return read(from, Math.max(0, to - from))
  const { long, end } = longLines(read, from, to, longest)
  if (long.length === 0) return read(from, end - from)
  const bytes = Buffer.alloc(end - from)
  let at = from
  for (const [start, until] of [...long, [end, end] as const]) {
    for (; at < start; at += CHUNK_BYTES) read(at, Math.min(CHUNK_BYTES, start - at)).copy(bytes, at - from)
    at = until
  }
  return bytes
}

/** The places of long lines, without their line breaks, and where the file ends. */
function longLines(
  read: (offset: number, length: number) => Buffer,
  from: number,
  to: number,
  longest: number,
): { long: [start: number, end: number][]; end: number } {
  const long: [number, number][] = []
  const note = (start: number, end: number) => end - start > longest && long.push([start, end])
  let [line, offset] = [from, from]
  while (offset < to) {
    const bytes = read(offset, Math.min(CHUNK_BYTES, to - offset))
    if (bytes.length === 0) break
    for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) {
      note(line, offset + at)
      line = offset + at + 1
    }
    offset += bytes.length
  }
  note(line, offset)
  return { long, end: offset }
}

const CHUNK_BYTES = 1024 * 1024
const LINE_BREAK = 10

/** Appends to a file. A missing file is made, with mode 0600. Throws `unsafe-path`, `disk-full` or `unwritable`. */
export function appendRegular(path: string, content: string | Uint8Array): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants
  let fd: number | undefined
  try {
    fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
    checkRegular(fd, path)
    writeFileSync(fd, content)
  } catch (error) {
    throw fileError(error, path, 'write')
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Throws `unsafe-path` if the open file is not a regular file or has more than `maxBytes` bytes. */
export function checkRegular(fd: number, path: string, maxBytes = Number.POSITIVE_INFINITY): void {
  const stats = fstatSync(fd)
  if (!stats.isFile()) throw unsafePath(path, kindOf(stats))
  if (stats.size > maxBytes) throw tooLarge(path, stats.size, maxBytes)
}

/** Says what is in the place of a regular file, for the message of `unsafePath`. */
export function kindOf(stats: Pick<Stats, 'isDirectory' | 'isSymbolicLink'>): string {
  if (stats.isSymbolicLink()) return 'a symbolic link, and cortext follows none inside a workspace'
  return stats.isDirectory() ? 'a folder, where a file should be' : 'not a regular file'
}

export function unsafePath(path: string, what: string): CortextError {
  return new CortextError('unsafe-path', `${path} is ${what}`, {
    fix: paste`look at it: ls -ld ${path}; then put a file in its place, or remove it`,
  })
}

function tooLarge(path: string, size: number, maxBytes: number): CortextError {
  const mb = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`
  return new CortextError('unsafe-path', `${path} has ${mb(size)}, and at most ${mb(maxBytes)} are read`, {
    fix: paste`look at it: ls -ld ${path}; then move it away`,
  })
}
