import { constants, type Dirent, existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureFolder } from '../../../io/ensure-folder.ts'
import { accessFile, errnoOf } from '../../../io/file-error.ts'
import { readRegular } from '../../../io/regular-file.ts'
import { checkRelativePath } from '../../layout.ts'
import { continuesCopy, copyRange, openSource, type Source, sizeOf } from './copy-bytes.ts'

/** Where a session's client keeps its side files. */
export interface SideSources {
  /** Folders, whose copies are below `below` in the journal's side folder ('' for that folder itself). */
  folders: readonly { folder: string; below: string }[]
  /** Files in folders that several sessions share. */
  files: readonly SideFile[]
}

/** A side file, and the name of its copy. */
interface SideFile {
  path: string
  name: string
}

/** No session that we have seen reaches these limits. What is beyond them is left out. */
const SIDE_LIMITS = { files: 20_000, depth: 8, bytes: 256 * 1024 * 1024 }

/**
 * Copies the side files of a transcript into the folder `into`, whose parent must exist. Only regular files are copied,
 * and no symlink is followed. If a side file has grown, its new bytes are appended to its copy. If the client has
 * rewritten it, the earlier copy is renamed to `<name>~1`, `<name>~2`, … A missing folder counts as empty, and a file
 * that cannot be read is left out. Only one process may do this at a time: the caller holds the conversation's lock.
 */
export function copySideFiles(sources: SideSources, into: string, limits = SIDE_LIMITS): void {
  for (const { path, name } of filesIn(sources, limits)) copySideFile(path, into, name, limits.bytes)
}

/**
 * The paths of the files in a folder, with forward slashes. Earlier copies of rewritten files (`<name>~1`) are left
 * out.
 */
export function listSideFiles(folder: string, { depth } = SIDE_LIMITS): string[] {
  return [...walk(folder, '', depth)].filter((path) => !EARLIER_VERSION.test(path))
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
 * Finds the side files of a session, and writes nothing. `into` contains their copies. Each file is read from the
 * client's folder if it is there, else from its copy. The limits of copySideFiles apply.
 */
export function readCurrentSideFiles(
  into: string,
  sources: SideSources,
  limits = SIDE_LIMITS,
): CurrentSideFiles {
  const files = new Map(listSideFiles(into).map((path) => [path, join(into, path)]))
  for (const { path, name } of filesIn(sources, limits)) {
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

function filesIn({ folders, files }: SideSources, limits: typeof SIDE_LIMITS): SideFile[] {
  const inFolders = folders.flatMap(({ folder, below }) =>
    listSideFiles(folder, limits)
      .slice(0, limits.files)
      .map((path) => ({ path: join(folder, path), name: below === '' ? path : `${below}/${path}` })),
  )
  return [...inFolders, ...files.slice(0, limits.files)]
}

/** The files below a folder, in the same order on every machine. */
function* walk(top: string, below: string, depth: number): Generator<string> {
  for (const entry of entriesOf(join(top, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && depth > 1) yield* walk(top, path, depth - 1)
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    // The folder is missing, or this user may not read it.
    if (errnoOf(error) === undefined) throw error
    return []
  }
}

function copySideFile(file: string, into: string, path: string, limit: number): void {
  const source = openSide(file)
  if (source === undefined) return
  try {
    const end = source.size
    if (end > limit) return
    const copy = join(into, path)
    const size = sizeOf(copy)
    const grown = size === undefined || continuesCopy(source, copy, size)
    if (grown && size === end) return
    ensureFolder(dirname(into), dirname(copy), 0o700)
    if (!grown) keepEarlier(copy)
    copyRange(source, copy, grown ? (size ?? 0) : 0)
  } finally {
    source.close()
  }
}

function openSide(file: string): Source | undefined {
  try {
    return openSource(file, [], constants.O_NOFOLLOW)
  } catch {
    // The file has gone or become a symlink since it was listed, or this user may not read it. Then its copy is read.
    return undefined
  }
}

function keepEarlier(copy: string): void {
  let number = 1
  while (existsSync(`${copy}~${number}`)) number += 1
  accessFile(copy, 'write', () => renameSync(copy, `${copy}~${number}`))
}
