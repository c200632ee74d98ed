import { constants, type Dirent, existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureFolder } from '../../../io/ensure-folder.ts'
import { accessFile, errnoOf } from '../../../io/file-error.ts'
import { readRegular } from '../../../io/regular-file.ts'
import { checkRelativePath } from '../../layout.ts'
import { continuesCopy, copyRange, openSource, type Source, sizeOf } from './copy-bytes.ts'

export interface SideCopy {
  /** How many files had something to copy. */
  copied: number
  /** The paths, below the side folder, of the files that were not copied. */
  skipped: { path: string; why: SkipReason }[]
}

type SkipReason = 'too many files' | 'too deep' | 'too large' | 'unreadable'

/** No session that we have seen reaches these limits. What is beyond them is in `skipped`. */
const SIDE_LIMITS = { files: 20_000, depth: 8, bytes: 256 * 1024 * 1024 }

/**
 * Copies the side files of a transcript into the folder `into`, whose parent must exist. Only regular files are copied,
 * and no symlink is followed. If a side file has grown, its new bytes are appended to its copy. If the client has
 * rewritten it, the earlier copy is renamed to `<name>~1`, `<name>~2`, … A missing side folder counts as empty. Only
 * one process may do this at a time: the caller holds the conversation's lock.
 */
export function copySideFiles(sideFolder: string, into: string, limits = SIDE_LIMITS): SideCopy {
  const result: SideCopy = { copied: 0, skipped: [] }
  let files = 0
  for (const { path, skipped } of walk(sideFolder, '', limits.depth)) {
    const why = skipped ?? (++files > limits.files ? 'too many files' : undefined)
    addOutcome(result, path, why ?? copySideFile(join(sideFolder, path), into, path, limits.bytes))
  }
  return result
}

/** A side file in a folder that several sessions share, and the name of its copy. */
export interface SideFile {
  path: string
  name: string
}

/** Like `copySideFiles`, but for files in a folder that several sessions share. */
export function copyNamedFiles(files: readonly SideFile[], into: string, limits = SIDE_LIMITS): SideCopy {
  const result: SideCopy = { copied: 0, skipped: [] }
  for (const [index, { path, name }] of files.entries())
    addOutcome(
      result,
      name,
      index < limits.files ? copySideFile(path, into, name, limits.bytes) : 'too many files',
    )
  return result
}

function addOutcome(result: SideCopy, path: string, outcome: SkipReason | 'copied' | 'same'): void {
  if (outcome === 'copied') result.copied += 1
  else if (outcome !== 'same') result.skipped.push({ path, why: outcome })
}

/**
 * The paths of the files in a folder, with forward slashes. Earlier copies of rewritten files (`<name>~1`) are left
 * out.
 */
export function listSideFiles(folder: string): string[] {
  return [...walk(folder, '', SIDE_LIMITS.depth)]
    .filter(({ path, skipped }) => skipped === undefined && !EARLIER_VERSION.test(path))
    .map(({ path }) => path)
}

/** The side files of a session as their copies would be if `copySideFiles` ran now. */
export interface CurrentSideFiles {
  /** The paths in the form of listSideFiles. */
  paths: string[]
  /** For each file, a text that changes with its size or modification time. */
  stamps: Readonly<Record<string, string>>
  /**
   * The content of a file; undefined when it does not exist. Throws `unsafe-path` for a path that leaves the folder.
   */
  read(path: string): Uint8Array | undefined
}

/**
 * Finds the side files of a session, and writes nothing. `into` contains their copies. `sources` are the client's
 * folders; the copies of `folder` are below `below` in `into` ('' for `into` itself). `named` are single files. Each
 * file is read from the client's folder if it is there, else from its copy. The limits of copySideFiles apply.
 */
export function readCurrentSideFiles(
  into: string,
  sources: readonly { folder: string; below: string }[],
  named: readonly SideFile[] = [],
  limits = SIDE_LIMITS,
): CurrentSideFiles {
  const files = new Map(listSideFiles(into).map((path) => [path, join(into, path)]))
  for (const { folder, below } of sources)
    for (const path of listSideFiles(folder).slice(0, limits.files)) {
      const stats = statSync(join(folder, path), { throwIfNoEntry: false })
      if (stats !== undefined && stats.size <= limits.bytes)
        files.set(below === '' ? path : `${below}/${path}`, join(folder, path))
    }
  for (const { path, name } of named.slice(0, limits.files)) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && stats.size <= limits.bytes) files.set(name, path)
  }
  const paths = [...files.keys()].sort()
  return {
    paths,
    stamps: Object.fromEntries(paths.map((path) => [path, stampOf(files.get(path)!)])),
    read: (path) => readSource(files.get(checkRelativePath(path))) ?? readSideFile(into, path),
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return `${stats?.size} ${stats?.mtimeMs}`
}

function readSource(file: string | undefined): Uint8Array | undefined {
  const source = file === undefined ? undefined : openSide(file)
  if (source === undefined) return undefined
  try {
    return source.read(0, source.size)
  } finally {
    source.close()
  }
}

/** The content of a copy; undefined when it does not exist. Throws `unsafe-path` for a path that leaves the folder. */
export function readSideFile(folder: string, path: string): Uint8Array | undefined {
  return readRegular(join(folder, checkRelativePath(path)))
}

const EARLIER_VERSION = /~\d+$/

/** The files below a folder, in the same order on every machine. */
function* walk(top: string, below: string, depth: number): Generator<{ path: string; skipped?: SkipReason }> {
  const entries = entriesOf(join(top, below))
  if (entries === undefined) yield { path: below, skipped: 'unreadable' }
  for (const entry of entries ?? []) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isFile()) yield { path }
    else if (entry.isDirectory() && depth > 1) yield* walk(top, path, depth - 1)
    else if (entry.isDirectory()) yield { path, skipped: 'too deep' }
  }
}

function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR' ? [] : undefined
  }
}

function copySideFile(
  file: string,
  into: string,
  path: string,
  limit: number,
): SkipReason | 'copied' | 'same' {
  const source = openSide(file)
  if (source === undefined) return 'unreadable'
  try {
    const end = source.size
    if (end > limit) return 'too large'
    const copy = join(into, path)
    const size = sizeOf(copy)
    const grown = size === undefined || continuesCopy(source, copy, size)
    if (grown && size === end) return 'same'
    ensureFolder(dirname(into), dirname(copy), 0o700)
    if (!grown) keepEarlier(copy)
    copyRange(source, copy, grown ? (size ?? 0) : 0)
    return 'copied'
  } finally {
    source.close()
  }
}

function openSide(file: string): Source | undefined {
  try {
    return openSource(file, [], constants.O_NOFOLLOW)
  } catch {
    // The file has gone or become a symlink since it was listed, or this user may not read it. copySideFile reports it
    // as unreadable; readCurrentSideFiles reads its copy.
    return undefined
  }
}

function keepEarlier(copy: string): void {
  let number = 1
  while (existsSync(`${copy}~${number}`)) number += 1
  accessFile(copy, 'write', () => renameSync(copy, `${copy}~${number}`))
}
