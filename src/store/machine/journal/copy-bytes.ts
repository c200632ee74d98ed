import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../../io/atomic-write.ts'
import { accessFile, errnoOf, fileError } from '../../../io/file-error.ts'
import { checkRegular, openRegular } from '../../../io/regular-file.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. It copies a
 * growing file to the same offsets of its copy, so no lock is needed.
 */

/** The bytes of a file up to the offset `to`: of a Codex file that a fork continues, up to where the fork left it. */
export interface Part {
  path: string
  to: number
}

/** What is copied: a file, or parts of several files, which are read as one. */
export interface Source {
  readonly size: number
  read(offset: number, length: number): Buffer
  close(): void
}

/**
 * Opens the parts `before` and the file at `path`, which comes after them, as one source. Undefined when `path` is not
 * a regular file. The caller closes the source.
 */
export function openSource(path: string, before: readonly Part[] = [], flags = 0): Source | undefined {
  // For a pipe or a link, openRegular throws.
  const last = isRegular(path) ? openRegular(path, { flags }) : undefined
  if (last === undefined) return undefined
  const own = sourceOf(last)
  const parts = before.flatMap((part) => {
    const fd = openRegular(part.path)
    return fd === undefined ? [] : [sourceOf(fd, part.to)]
  })
  return parts.length === 0 ? own : joinSources([...parts, own])
}

/**
 * At most this many bytes of a transcript are copied and read, so that a file of any size fills neither disk nor memory.
 * The hook tells the person when a transcript is longer. Node reads and hashes at most 2 GiB at once.
 */
export const MAX_TRANSCRIPT = 2_000_000_000

function sourceOf(fd: number, to = MAX_TRANSCRIPT): Source {
  const size = Math.min(fstatSync(fd).size, to)
  return {
    size,
    read: (offset, length) => readAt(fd, offset, Math.max(0, Math.min(length, size - offset))),
    close: () => closeSync(fd),
  }
}

function joinSources(parts: readonly Source[]): Source {
  return {
    size: parts.reduce((sum, { size }) => sum + size, 0),
    read(offset, length) {
      const bytes: Buffer[] = []
      let start = 0
      for (const part of parts) {
        const from = Math.max(0, offset - start)
        const to = Math.min(part.size, offset + length - start)
        if (from < to) bytes.push(part.read(from, to - from))
        start += part.size
      }
      return Buffer.concat(bytes)
    },
    close() {
      for (const part of parts) part.close()
    },
  }
}

function isRegular(path: string): boolean {
  return accessFile(path, 'read', () => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
}

/** The size of the file at `path` in bytes; undefined when there is none. */
export function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw fileError(error, path, 'read')
  }
}

/**
 * Whether `source` begins with the `size` bytes of the copy. Only the last 4 KiB of the copy are compared. A BLANK in
 * the copy matches any byte, because `delete` has written it over the original (blank-journal.ts).
 */
export function continuesCopy(source: Source, copy: string, size: number): boolean {
  if (source.size < size) return false
  const length = Math.min(COMPARED_BYTES, size)
  const fd = openCopy(copy, constants.O_RDONLY)
  try {
    const now = source.read(size - length, length)
    const copied = readAt(fd, size - length, length)
    return (
      copied.length === now.length && copied.every((byte, offset) => byte === BLANK || byte === now[offset])
    )
  } finally {
    closeSync(fd)
  }
}

/**
 * Copies the bytes `from`..`end` of `source` to the same offsets of the file `target`, and fsyncs it. A missing file is
 * made with mode 0600. Returns the offset where the copy ends, which is less than `end` if the source became shorter
 * meanwhile.
 */
export function copyRange(source: Source, target: string, from: number, end = source.size): number {
  const fd = openCopy(target, constants.O_WRONLY | constants.O_CREAT)
  try {
    let offset = from
    while (offset < end) {
      const bytes = source.read(offset, Math.min(CHUNK_BYTES, end - offset))
      if (bytes.length === 0) break
      // A hole stays a hole: zeros take no room on the disk.
      const isHole = offset + bytes.length < end && bytes.equals(ZEROS.subarray(0, bytes.length))
      offset += isHole ? bytes.length : writeAt(fd, bytes, offset)
    }
    fsyncSync(fd)
    if (from === 0) syncFolder(dirname(target))
    return offset
  } catch (error) {
    throw fileError(error, target, 'write')
  } finally {
    closeSync(fd)
  }
}

const CHUNK_BYTES = 1024 * 1024
const ZEROS = Buffer.alloc(CHUNK_BYTES)
const COMPARED_BYTES = 4096

/** No UTF-8 text contains this byte. A power cut may leave zeros in a file, but not this byte. */
export const BLANK = 0xff

function openCopy(path: string, flags: number): number {
  let fd: number | undefined
  try {
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600)
    checkRegular(fd, path)
    return fd
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    throw fileError(error, path, 'write')
  }
}

/** Reads `length` bytes of an open file from an offset on; fewer if the file ends before. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, offset + filled)
    if (read === 0) break
    filled += read
  }
  return buffer.subarray(0, filled)
}

function writeAt(fd: number, bytes: Buffer, offset: number): number {
  let written = 0
  while (written < bytes.length)
    written += writeSync(fd, bytes, written, bytes.length - written, offset + written)
  return written
}
