import { copyFileSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder, temporaryPath } from './atomic-write.ts'
import { errnoOf } from './file-error.ts'
import { makeFolders } from './real-folder.ts'
import { rmdirIfEmpty } from './remove.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Moves the folder `from` to `to`. If `to` exists, each file moves into it. A file may be at both places. If one of the
 * two contents begins with the other, the longer file is at `to` afterwards. If not, the file at `to` stays; the file
 * at `from` stays too if `keepsBoth` returns true for it, else it is removed.
 *
 * If the process is killed, every file is whole in at least one of the two places, and the next call moves the rest.
 * Several processes may call this at the same time. Returns false when the system refuses a step; files that were not
 * moved before stay in `from`.
 */
export function moveFolder(from: string, to: string, keepsBoth: (path: string) => boolean): boolean {
  try {
    makeFolders(dirname(to), 0o700)
    move(from, to, keepsBoth)
    syncFolder(dirname(to))
    rmdirIfEmpty(dirname(from))
    return true
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return false
  }
}

function move(from: string, to: string, keepsBoth: (path: string) => boolean): void {
  const stats = lstatSync(from, { throwIfNoEntry: false })
  if (stats === undefined || tryRename(from, to, stats.isDirectory())) return
  if (!stats.isDirectory()) {
    moveFile(from, to, keepsBoth)
    return
  }
  makeFolders(to, 0o700)
  for (const name of namesIn(from)) move(join(from, name), join(to, name), keepsBoth)
  syncFolder(to)
  rmdirIfEmpty(from)
}

/**
 * Renames a file or folder; false when something is at `to` already. Renaming a file would replace a file at `to`, so
 * this is checked first.
 */
function tryRename(from: string, to: string, isFolder: boolean): boolean {
  if (!isFolder && lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    const code = errnoOf(error) ?? ''
    // Another process has moved it already.
    if (code === 'ENOENT' && lstatSync(from, { throwIfNoEntry: false }) === undefined) return true
    if (['ENOTEMPTY', 'EEXIST', 'EXDEV', 'EPERM'].includes(code)) return false
    throw error
  }
}

function moveFile(from: string, to: string, keepsBoth: (path: string) => boolean): void {
  const [oldBytes, newBytes] = [bytesOf(from), bytesOf(to)]
  if (oldBytes === undefined) return
  const longer =
    newBytes === undefined || (oldBytes.length > newBytes.length && startsWith(oldBytes, newBytes))
  if (!longer && keepsBoth(from) && !startsWith(newBytes, oldBytes)) return
  if (longer) {
    // The two places may be on two disks, where a rename fails. So the file is copied.
    const temp = temporaryPath(to)
    copyFileSync(from, temp)
    renameSync(temp, to)
  }
  rmSync(from, { force: true })
}

function startsWith(whole: Buffer, part: Buffer): boolean {
  return whole.subarray(0, part.length).equals(part)
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}
