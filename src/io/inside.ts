import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { type AtomicWriteOptions, type Content, TEMP_SUFFIX, writeFileAtomic } from './atomic-write.ts'
import { ensureFolder } from './ensure-folder.ts'
import { accessFile, errnoOf, fileError, readAndClose } from './file-error.ts'
import { listNames } from './list-names.ts'
import { checkRegular, kindOf, openRegular, unsafePath } from './regular-file.ts'
import { rmdirIfEmpty } from './remove.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Access to the files of a workspace. A workspace can come from a stranger's repository, so a stranger may have made
 * these files. Two texts name a file. `root` is the folder that the person chose; links may lead to it. `path` is below
 * `root`, has forward slashes, and goes through no link. Only `renameInside` accepts a link as the last part of `path`.
 * A file that is read is a regular file and not too large. If one of these conditions is not met, the functions here
 * throw `unsafe-path` with the path, and touch nothing.
 *
 * A path is first checked and then used. A clone cannot change its files between check and use. A program on this
 * machine could replace a folder with a link in this time, but such a program needs no help from us to do harm.
 */

/**
 * The maximum size in bytes of a file that is read as a whole, if the caller gives no other. The files that this
 * program writes have a few thousand bytes.
 */
export const MAX_TEXT = 16 * 1024 * 1024
/**
 * The maximum size in bytes of a file of lines, an attachment or a document. The text of such a file fits into one
 * string: Node allows about 512 Mi characters.
 */
export const MAX_LINES = 256 * 1024 * 1024

/** The absolute path of a file or folder, which need not exist. Throws `unsafe-path` if a part of `path` is a link. */
export function pathInside(root: string, path: string): string {
  statWithoutLinks(root, path)
  return join(root, path)
}

/** The stats of a regular file or a folder; undefined when there is none. Throws `unsafe-path` for anything else. */
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

/** The bytes of a file; undefined when there is none. Throws `unsafe-path` or `unreadable`. */
export function readBytesInside(root: string, path: string, maxBytes = MAX_TEXT): Buffer | undefined {
  const fd = openInside(root, path, maxBytes)
  return fd === undefined ? undefined : readAndClose(fd, join(root, path), () => readFileSync(fd))
}

/** The text of a file; undefined when there is none. Throws `unsafe-path` or `unreadable`. */
export function readInside(root: string, path: string): string | undefined {
  return readBytesInside(root, path)?.toString('utf8')
}

/** The names in a folder that end in `suffix` and do not begin with a dot; none when there is no such folder. */
export function listInside(root: string, path: string, suffix: string): string[] {
  if (statInside(root, path)?.isDirectory() !== true) return []
  return listNames(join(root, path), suffix)
}

/** What is in a folder; undefined when there is none. Throws `unsafe-path` if something else has its name. */
export function entriesInside(root: string, path: string): Dirent[] | undefined {
  const folder = pathInside(root, path)
  const stats = statInside(root, path)
  if (stats === undefined) return undefined
  if (!stats.isDirectory()) throw unsafePath(folder, 'a file, where a folder should be')
  return accessFile(folder, 'read', () => readdirSync(folder, { withFileTypes: true }))
}

/** Replaces a file as a whole, and makes its folders if needed. Throws `unsafe-path`, `disk-full` or `unwritable`. */
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
 * Opens a file for reading and for writing at its end, and makes the file and its folders if needed. The caller closes
 * the file. Throws `unsafe-path` or `unwritable`.
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

/**
 * Gives a file of any kind, also a link, another name in its folder. Throws `unsafe-path` or `unwritable`, and
 * RangeError when `name` has more than one part.
 */
export function renameInside(root: string, path: string, name: string): void {
  const folder = partsOf(path).slice(0, -1)
  if (partsOf(name).length > 1) throw new RangeError(`${name} is not a name`)
  if (folder.length > 0) pathInside(root, folder.join('/'))
  const from = join(root, path)
  accessFile(from, 'write', () => renameSync(from, join(root, ...folder, name)))
}

/**
 * Removes a file, or with `recursive` a folder and everything in it. If the folder contains a link, this removes the
 * link and not its target. Does nothing when the file or folder is missing. Throws `unsafe-path` or `unwritable`.
 */
export function removeInside(root: string, path: string, options: { recursive?: true } = {}): void {
  const target = pathInside(root, path)
  accessFile(target, 'write', () => rmSync(target, { force: true, ...options }))
}

/** Removes a folder if it is empty. */
export function removeEmptyInside(root: string, path: string): void {
  const target = pathInside(root, path)
  accessFile(target, 'write', () => rmdirIfEmpty(target))
}

/**
 * Whether a text can be a path inside: it is relative, and no part of it is empty, `.`, `..` or `.git`. It has no NUL
 * and, on Windows, no `:`.
 */
export function isInside(path: string): boolean {
  const parts = path.split(WINDOWS ? /[\\/]/ : '/')
  return parts.every((part) => !/^(|\.|\.\.|\.git)$/i.test(part) && !(WINDOWS ? /[\0:]/ : /\0/).test(part))
}

const WINDOWS = process.platform === 'win32'

function partsOf(path: string): string[] {
  if (isInside(path)) return path.split(WINDOWS ? /[\\/]/ : '/')
  throw new CortextError('unsafe-path', `not a path inside the workspace: ${JSON.stringify(path)}`)
}

/**
 * The stats of what is at the path; undefined when nothing is there. Throws `unsafe-path` if a part of the path is a
 * link.
 */
function statWithoutLinks(root: string, path: string): BigIntStats | undefined {
  let current = root
  let stats: BigIntStats | undefined
  for (const part of partsOf(path)) {
    current = join(current, part)
    try {
      stats = lstatSync(current, { bigint: true, throwIfNoEntry: false })
    } catch (error) {
      // A file is in the place of a folder, so nothing can be below it.
      if (errnoOf(error) === 'ENOTDIR') return undefined
      throw fileError(error, current, 'read')
    }
    if (stats === undefined) return undefined
    if (stats.isSymbolicLink()) throw unsafePath(current, kindOf(stats))
  }
  return stats
}

/** Whether a file is what a killed write has left. */
export function isLeftByWrite(path: string): boolean {
  return path.endsWith(TEMP_SUFFIX)
}
