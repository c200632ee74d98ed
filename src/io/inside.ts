import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { paste } from '../text/paste.ts'
import { type AtomicWriteOptions, writeFileAtomic } from './atomic-write.ts'
import { ensureFolder } from './ensure-folder.ts'
import { errnoOf, fileError } from './file-error.ts'

/** This file is part of the hook bundle: it imports only node's own modules. */

/**
 * Files that somebody else may have made: a workspace can come from a stranger's repository. Each is named by a root,
 * which the person chose and which may be reached through links, and a path below it, with forward slashes. A file that
 * is read is at the place that its name says, is regular and not too large; a file that is written lands at that place.
 * Otherwise every function here throws `unsafe-path`, with the path, and touches nothing.
 *
 * A path is checked and then used. The files of a clone do not change meanwhile. A program that swaps a folder for a
 * link at that very moment can do by itself whatever it could make us do.
 */

/** The most bytes of a file that is read as a whole. Ours have a few thousand. */
export const MAX_TEXT = 16 * 1024 * 1024
/** The most bytes of a file of lines, an attachment or a document. A string can hold twice as much. */
export const MAX_LINES = 256 * 1024 * 1024

/** The absolute path of something inside, which need not be there. No part of the way may be a link. */
export function placeInside(root: string, path: string): string {
  look(root, path)
  return join(root, path)
}

/** The stats of a regular file or a folder; undefined when there is nothing. */
export function statInside(root: string, path: string): BigIntStats | undefined {
  const stats = look(root, path)
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return stats
  throw unsafe(join(root, path), kindOf(stats))
}

export function isFileInside(root: string, path: string): boolean {
  return statInside(root, path)?.isFile() === true
}

/** Opens a regular file of at most `most` bytes for reading; undefined when there is none. The caller closes it. */
export function openInside(root: string, path: string, most = MAX_LINES): number | undefined {
  const place = placeInside(root, path)
  const fd = openPlain(place)
  if (fd === undefined) return undefined
  try {
    checkOpen(fd, place, most)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** The bytes of a file; undefined when there is none. Throws `unreadable` too. */
export function readBytesInside(root: string, path: string, most = MAX_TEXT): Buffer | undefined {
  const fd = openInside(root, path, most)
  if (fd === undefined) return undefined
  try {
    return readFileSync(fd)
  } catch (error) {
    throw fileError(error, join(root, path), 'read')
  } finally {
    closeSync(fd)
  }
}

/** The text of a file; undefined when there is none. Throws `unreadable` too. */
export function readInside(root: string, path: string): string | undefined {
  return readBytesInside(root, path)?.toString('utf8')
}

/**
 * The text of a file, links followed: the person's own settings may be links. It must be a regular file of at most
 * MAX_TEXT bytes. Undefined when there is none.
 */
export function readRegular(path: string): string | undefined {
  const fd = openPlain(path, 0)
  if (fd === undefined) return undefined
  try {
    checkOpen(fd, path, MAX_TEXT)
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** The names in a folder that end in `suffix`, without hidden ones; none when there is no such folder. */
export function listInside(root: string, path: string, suffix: string): string[] {
  if (statInside(root, path)?.isDirectory() !== true) return []
  try {
    return readdirSync(join(root, path)).filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
  } catch (error) {
    throw fileError(error, join(root, path), 'read')
  }
}

/** Replaces a file as a whole, and makes its folders if needed. Throws `disk-full` and `unwritable` too. */
export function writeInside(
  root: string,
  path: string,
  content: string | Uint8Array,
  options: Pick<AtomicWriteOptions, 'mode'> & { folderMode?: number } = {},
): void {
  const { folderMode, ...rest } = options
  const place = placeInside(root, path)
  ensureFolder(root, dirname(place), folderMode)
  writeFileAtomic(place, content, { ...rest, refuseSymlink: true })
}

/**
 * Opens a file for reading and for writing at its end; the file and its folders are made if needed. The caller closes
 * it. Throws `unwritable` too.
 */
export function openToAppendInside(root: string, path: string): number {
  const place = placeInside(root, path)
  ensureFolder(root, dirname(place))
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  let fd: number | undefined
  try {
    fd = openSync(place, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644)
    checkOpen(fd, place, Number.POSITIVE_INFINITY)
    return fd
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    throw fileError(error, place, 'write')
  }
}

/** Copies a file of at most MAX_LINES bytes; does nothing when there is none. */
export function copyInside(from: Inside, to: Inside): void {
  const bytes = readBytesInside(from.root, from.path, MAX_LINES)
  if (bytes !== undefined) writeInside(to.root, to.path, bytes)
}

export interface Inside {
  root: string
  path: string
}

/** Gives a file another name in its folder, whatever kind of file it is. Throws `unwritable` too. */
export function renameInside(root: string, path: string, name: string): void {
  const folder = partsOf(path).slice(0, -1)
  if (partsOf(name).length > 1) throw new RangeError(`${name} is no name`)
  if (folder.length > 0) placeInside(root, folder.join('/'))
  try {
    renameSync(join(root, path), join(root, ...folder, name))
  } catch (error) {
    throw fileError(error, join(root, path), 'write')
  }
}

/**
 * Removes a file, or a folder with everything in it; a link in it is removed, its target stays. Does nothing when there
 * is nothing. Throws `unwritable` too.
 */
export function removeInside(root: string, path: string, options: { recursive?: true } = {}): void {
  const place = placeInside(root, path)
  try {
    rmSync(place, { force: true, ...options })
  } catch (error) {
    throw fileError(error, place, 'write')
  }
}

/** Removes a folder if nothing is in it. */
export function removeEmptyInside(root: string, path: string): void {
  const place = placeInside(root, path)
  try {
    rmdirSync(place)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? ''))
      throw fileError(error, place, 'write')
  }
}

/** Whether this can be a path inside: relative, with no part that is empty, climbs, or leads into git's own folder. */
export function isInside(path: string): boolean {
  const parts = path.split(WINDOWS ? /[\\/]/ : '/')
  return parts.every((part) => !/^(|\.|\.\.|\.git)$/i.test(part) && !(WINDOWS ? /[\0:]/ : /\0/).test(part))
}

const WINDOWS = process.platform === 'win32'

function partsOf(path: string): string[] {
  if (isInside(path)) return path.split(WINDOWS ? /[\\/]/ : '/')
  throw new CortextError('unsafe-path', `not a path inside the workspace: ${JSON.stringify(path)}`)
}

/** The stats of the last part; undefined when it is not there. */
function look(root: string, path: string): BigIntStats | undefined {
  let place = root
  let stats: BigIntStats | undefined
  for (const part of partsOf(path)) {
    place = join(place, part)
    try {
      stats = lstatSync(place, { bigint: true, throwIfNoEntry: false })
    } catch (error) {
      // A file is in the way: nothing can be there.
      if (errnoOf(error) === 'ENOTDIR') return undefined
      throw fileError(error, place, 'read')
    }
    if (stats === undefined) return undefined
    if (stats.isSymbolicLink()) throw unsafe(place, kindOf(stats))
  }
  return stats
}

/** Does not wait for the other end of a pipe. */
function openPlain(place: string, links = constants.O_NOFOLLOW): number | undefined {
  try {
    return openSync(place, constants.O_RDONLY | constants.O_NONBLOCK | links)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw fileError(error, place, 'read')
  }
}

function checkOpen(fd: number, place: string, most: number): void {
  const stats = fstatSync(fd)
  if (!stats.isFile()) throw unsafe(place, kindOf(stats))
  if (stats.size > most) throw tooLarge(place, stats.size, most)
}

function kindOf(stats: Pick<BigIntStats, 'isDirectory' | 'isSymbolicLink'>): string {
  if (stats.isSymbolicLink()) return 'a symbolic link, and cortext follows none inside a workspace'
  return stats.isDirectory() ? 'a folder, where a file should be' : 'not a regular file'
}

function unsafe(place: string, what: string): CortextError {
  return new CortextError('unsafe-path', `${place} is ${what}`, {
    fix: paste`look at it: ls -ld ${place}; then put a file in its place, or remove it`,
  })
}

function tooLarge(place: string, size: number, most: number): CortextError {
  const mb = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`
  return new CortextError('unsafe-path', `${place} has ${mb(size)}, and at most ${mb(most)} are read`, {
    fix: paste`look at it: ls -ld ${place}; then move it away`,
  })
}
