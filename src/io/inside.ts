import {
  type BigIntStats,
  closeSync,
  constants,
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
import { type AtomicWriteOptions, type Content, writeFileAtomic } from './atomic-write.ts'
import { ensureFolder } from './ensure-folder.ts'
import { errnoOf, fileError } from './file-error.ts'
import { checkRegular, kindOf, openRegular, unsafePath } from './regular-file.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Access to files that somebody else may have made, since a workspace can come from a stranger's repository. A file is
 * named by two texts: a root, which the person chose and which may be reached through links; and a path below the root,
 * with forward slashes. A file that is read is at the place that its name says, is regular and not too large; a file
 * that is written lands at that place. Otherwise the functions here throw `unsafe-path`, with the path, and touch
 * nothing.
 *
 * A path is checked and then used. The files of a clone do not change in between. A program on this machine that swaps
 * a folder for a link in between needs no help from us to do harm.
 */

/** The maximum size in bytes of a file that is read as a whole. Our own files have a few thousand bytes. */
export const MAX_TEXT = 16 * 1024 * 1024
/** The maximum size in bytes of a file of lines, an attachment or a document. A string in Node can be twice as long. */
export const MAX_LINES = 256 * 1024 * 1024

/**
 * The absolute path of a file or folder inside, which need not exist. No part of the path below the root may be a link.
 */
export function pathInside(root: string, path: string): string {
  statWithoutLinks(root, path)
  return join(root, path)
}

/** The stats of a regular file or a folder; undefined when nothing is there. */
export function statInside(root: string, path: string): BigIntStats | undefined {
  const stats = statWithoutLinks(root, path)
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return stats
  throw unsafePath(join(root, path), kindOf(stats))
}

export function isFileInside(root: string, path: string): boolean {
  return statInside(root, path)?.isFile() === true
}

/** Opens a regular file of at most `maxBytes` for reading; undefined when there is none. The caller closes it. */
export function openInside(root: string, path: string, maxBytes = MAX_LINES): number | undefined {
  return openRegular(pathInside(root, path), { maxBytes, flags: constants.O_NOFOLLOW })
}

/** The bytes of a file; undefined when there is none. Throws `unreadable` too. */
export function readBytesInside(root: string, path: string, maxBytes = MAX_TEXT): Buffer | undefined {
  const fd = openInside(root, path, maxBytes)
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
  content: Content,
  options: Pick<AtomicWriteOptions, 'mode'> & { folderMode?: number } = {},
): void {
  const { folderMode, ...rest } = options
  const target = pathInside(root, path)
  ensureFolder(root, dirname(target), folderMode)
  writeFileAtomic(target, content, { ...rest, refuseSymlink: true })
}

/**
 * Opens a file for reading and for writing at its end; the file and its folders are made if needed. The caller closes
 * it. Throws `unwritable` too.
 */
export function openToAppendInside(root: string, path: string): number {
  const target = pathInside(root, path)
  ensureFolder(root, dirname(target))
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  let fd: number | undefined
  try {
    fd = openSync(target, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644)
    checkRegular(fd, target)
    return fd
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    throw fileError(error, target, 'write')
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
  if (partsOf(name).length > 1) throw new RangeError(`${name} is not a name`)
  if (folder.length > 0) pathInside(root, folder.join('/'))
  try {
    renameSync(join(root, path), join(root, ...folder, name))
  } catch (error) {
    throw fileError(error, join(root, path), 'write')
  }
}

/**
 * Removes a file, or a folder with everything in it; a link in the folder is removed, but its target stays. Does
 * nothing when the file or folder is missing. Throws `unwritable` too.
 */
export function removeInside(root: string, path: string, options: { recursive?: true } = {}): void {
  const target = pathInside(root, path)
  try {
    rmSync(target, { force: true, ...options })
  } catch (error) {
    throw fileError(error, target, 'write')
  }
}

/** Removes a folder if nothing is in it. */
export function removeEmptyInside(root: string, path: string): void {
  const target = pathInside(root, path)
  try {
    rmdirSync(target)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? ''))
      throw fileError(error, target, 'write')
  }
}

/** Whether this can be a path inside: relative, and without a part that is empty, `.`, `..` or `.git`. */
export function isInside(path: string): boolean {
  const parts = path.split(WINDOWS ? /[\\/]/ : '/')
  return parts.every((part) => !/^(|\.|\.\.|\.git)$/i.test(part) && !(WINDOWS ? /[\0:]/ : /\0/).test(part))
}

const WINDOWS = process.platform === 'win32'

function partsOf(path: string): string[] {
  if (isInside(path)) return path.split(WINDOWS ? /[\\/]/ : '/')
  throw new CortextError('unsafe-path', `not a path inside the workspace: ${JSON.stringify(path)}`)
}

/** The stats of the file or folder; undefined when it is not there. Throws `unsafe-path` for a link on the way. */
function statWithoutLinks(root: string, path: string): BigIntStats | undefined {
  let current = root
  let stats: BigIntStats | undefined
  for (const part of partsOf(path)) {
    current = join(current, part)
    try {
      stats = lstatSync(current, { bigint: true, throwIfNoEntry: false })
    } catch (error) {
      // A file is in the place of a folder, so nothing can be there.
      if (errnoOf(error) === 'ENOTDIR') return undefined
      throw fileError(error, current, 'read')
    }
    if (stats === undefined) return undefined
    if (stats.isSymbolicLink()) throw unsafePath(current, kindOf(stats))
  }
  return stats
}
