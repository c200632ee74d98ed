import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CortextError } from '../errors.ts'
import { crypto } from '../hash.ts'
import { textPieces } from '../text/json-pieces.ts'
import { paste } from '../text/paste.ts'
import { errnoOf, fileError, patiently } from './file-error.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/** The ending of temporary files. A crash may leave one, so git should ignore `*.cortext-tmp`. */
export const TEMP_SUFFIX = '.cortext-tmp'

export interface AtomicWriteOptions {
  /** The permissions of the file. Default: those of the replaced file, else 0644 less the umask. */
  mode?: number
  /**
   * When `path` is a symlink: true throws `unsafe-path`, false replaces the file that the link leads to. Default:
   * false.
   */
  refuseSymlink?: boolean
  /** False skips the fsyncs, for a file that may be lost in a power cut. Default: true. */
  durable?: boolean
  /** The time of the file, in milliseconds since 1970. Default: now. */
  mtimeMs?: number | undefined
}

/** What a file will contain. Parts are written one after another, so that they need not be in memory twice. */
export type Content = string | Uint8Array | readonly Uint8Array[]

/**
 * Replaces a file as a whole. Readers see the old content or the new one, also after a crash. The folder must exist.
 * Throws `disk-full`, `unwritable` or `unsafe-path`. After an error the old file is untouched; only if the sync of its
 * folder failed, the new file is there.
 */
export function writeFileAtomic(path: string, content: Content, options: AtomicWriteOptions = {}): void {
  try {
    const target = resolveTarget(path, options.refuseSymlink ?? false)
    const durable = options.durable ?? true
    const temp = temporaryPath(target)
    try {
      writeTemp(temp, content, options.mode ?? modeOf(target), durable, options.mtimeMs)
      patiently(() => renameSync(temp, target))
    } catch (error) {
      rmSync(temp, { force: true })
      throw error
    }
    if (durable) syncFolder(dirname(target))
  } catch (error) {
    throw fileError(error, path, 'write')
  }
}

/** Syncs a folder. After this, a power cut does not undo the creating, renaming or removing of files in it. */
export function syncFolder(folder: string): void {
  const fd = openFolder(folder)
  if (fd === undefined) return
  try {
    fsyncSync(fd)
  } catch (error) {
    // Some network file systems cannot sync a folder. The content of the file was synced before.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
  } finally {
    closeSync(fd)
  }
}

function resolveTarget(path: string, refuseSymlink: boolean): string {
  // Without this check, root would replace /dev/null with a plain file.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new CortextError('unsafe-path', `${path} is not a regular file`, {
      fix: paste`look at it: ls -ld ${path}`,
    })
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path
  if (!refuseSymlink) return realpathSync(path)
  throw new CortextError('unsafe-path', `${path} is a symbolic link`, {
    fix: 'replace the link with its target',
  })
}

function modeOf(target: string): number | undefined {
  const present = statSync(target, { throwIfNoEntry: false })
  return present && present.mode & 0o777
}

/** A new name for a file in the place of `target`. A crash may leave it; see TEMP_SUFFIX. */
export function temporaryPath(target: string): string {
  const name = `.${basename(target).slice(0, 60)}.${crypto().randomBytes(8).toString('hex')}${TEMP_SUFFIX}`
  return join(dirname(target), name)
}

function writeTemp(
  temp: string,
  content: Content,
  mode: number | undefined,
  durable: boolean,
  mtimeMs: number | undefined,
): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const fd = openSync(temp, flags, mode ?? 0o644)
  try {
    if (mode !== undefined) fchmodSync(fd, mode)
    for (const part of partsOf(content)) writeFileSync(fd, part)
    if (mtimeMs !== undefined) futimesSync(fd, mtimeMs / 1000, mtimeMs / 1000)
    if (durable) fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function partsOf(content: Content): Iterable<string | Uint8Array> {
  if (typeof content === 'string') return textPieces(content)
  return content instanceof Uint8Array ? [content] : together(content)
}

/** Joins short parts, so that there are few writes. */
function* together(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let begin = 0
  let size = 0
  for (const [index, { length }] of parts.entries()) {
    size += length
    if (size < WRITTEN_BYTES && index + 1 < parts.length) continue
    yield index === begin ? parts[index]! : Buffer.concat(parts.slice(begin, index + 1))
    begin = index + 1
    size = 0
  }
}

const WRITTEN_BYTES = 1024 * 1024

function openFolder(folder: string): number | undefined {
  try {
    return openSync(folder, constants.O_RDONLY)
  } catch (error) {
    // Windows cannot open folders. On other systems this user may be able to write to the folder but not to read it.
    if (['EISDIR', 'EPERM', 'EACCES'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}
