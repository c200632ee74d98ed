import { closeSync, lstatSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { CortextError, type ErrorCode } from '../errors.ts'
import { paste } from '../text/paste.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Turns an error of the system about a file into a CortextError, with a fix for the person. Other errors are returned
 * unchanged, so `throw fileError(error, path, 'write')` can be used for any error.
 */
export function fileError(error: unknown, path: string, doing: 'read' | 'write'): unknown {
  if (isTooLarge(error))
    return new CortextError('unreadable', `cannot read ${path}: it is too large to be read as a whole`, {
      fix: paste`see its size: ls -lh ${path}`,
      cause: error,
    })
  const errno = errnoOf(error)
  if (errno === undefined || error instanceof CortextError) return error
  const [code, what, fix] = REASONS[errno] ?? unknownReason(errno)
  const errorCode = code ?? (doing === 'read' ? 'unreadable' : 'unwritable')
  return new CortextError(errorCode, `cannot ${doing} ${path}: ${what}`, {
    fix: fix(refusedPath(error, path), doing),
    cause: error,
  })
}

/** Runs a step on a file or folder. Throws what `fileError` makes of an error. */
export function accessFile<T>(path: string, doing: 'read' | 'write', step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw fileError(error, path, doing)
  }
}

/** Reads from an open file and closes it. Throws `unreadable`. */
export function readAndClose<T>(fd: number, path: string, read: () => T): T {
  try {
    return accessFile(path, 'read', read)
  } finally {
    closeSync(fd)
  }
}

/** The file or folder that the system has refused: the nearest one that is there. Temporary files of ours are not. */
function refusedPath(error: unknown, path: string): string {
  const named: unknown = Reflect.get(Object(error), 'path')
  let refused = typeof named === 'string' && isAbsolute(named) ? named : path
  while (!isThere(refused) && dirname(refused) !== refused) refused = dirname(refused)
  return refused
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Node reads no file above 2 GiB at once, and makes no text of more than 512 MB. */
function isTooLarge(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_FS_FILE_TOO_LARGE' || code === 'ERR_STRING_TOO_LONG'
}

/** The error code of the system, such as `ENOENT`; undefined for an error that did not come from the system. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

type Reason = [
  code: ErrorCode | undefined,
  what: string,
  fix: (path: string, doing: 'read' | 'write') => string,
]

const makeRoom = (path: string) =>
  paste`free space on its disk (see: df -h ${path}) and run the command again`
const seeRights = (path: string, doing: string) =>
  paste`see who may ${doing} it, and run the command again: ls -ld ${path}`
const seePath = (path: string) => paste`see what is in the way: ls -ld ${path}`

const REASONS: Record<string, Reason> = {
  ENOSPC: ['disk-full', 'the disk is full', makeRoom],
  EDQUOT: ['disk-full', 'the disk quota is used up', makeRoom],
  EFBIG: ['disk-full', 'the file would be larger than the system allows', makeRoom],
  EACCES: [undefined, 'permission denied', seeRights],
  EPERM: [undefined, 'the system does not permit it', seeRights],
  EROFS: [undefined, 'the file system is read-only', seeRights],
  ELOOP: ['unsafe-path', 'a symbolic link is in the way', seePath],
  ENOTDIR: ['unsafe-path', 'a file is in the place of a folder', seePath],
  ENXIO: ['unsafe-path', 'a named pipe is in the place of a file', seePath],
  EISDIR: ['unsafe-path', 'a folder is in the place of a file', seePath],
  ENOENT: [undefined, 'no such file or folder', seePath],
}

function unknownReason(errno: string): Reason {
  return [undefined, errno, seePath]
}

/**
 * Runs a step on a file. On Windows a file cannot be renamed or replaced while another program has it open, as virus
 * scanners and editors do for moments, so there the step is tried again for up to two seconds. Then, and at once on other
 * systems, this throws the error of the step.
 */
export function patiently<T>(step: () => T, platform: NodeJS.Platform = process.platform): T {
  const deadline = Date.now() + PATIENCE_MS
  for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
    try {
      return step()
    } catch (error) {
      const isHeld = platform === 'win32' && HELD.includes(errnoOf(error) ?? '')
      if (!isHeld || Date.now() + pause > deadline) throw error
    }
    Atomics.wait(SLEEPER, 0, 0, pause)
  }
}

const PATIENCE_MS = 2_000
const HELD = ['EPERM', 'EACCES', 'EBUSY']
const SLEEPER = new Int32Array(new SharedArrayBuffer(4))
