import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crypto } from '../hash.ts'
import { syncFolder, TEMP_SUFFIX } from './atomic-write.ts'
import { errnoOf } from './file-error.ts'
import { rmdirIfEmpty } from './remove.ts'

/** This file is part of the hook bundle: it imports only node's own modules. */

/**
 * Moves a folder of ours to another place, and into what is there already. A file that both places have is kept once:
 * the longer one where it goes on where the other ends, else the one at the new place. With `keepsBoth` it stays at the
 * old place instead, for a file that says something of its own in each place.
 *
 * Each file is moved at once, so that a process that is killed here leaves every file in one of the two places, and the
 * next call moves the rest. Several processes may do it at the same time. Returns false when the new place cannot be
 * written; then the rest stays where it was.
 */
export function moveFolder(from: string, to: string, keepsBoth: (path: string) => boolean): boolean {
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
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
  if (stats === undefined || moved(from, to, stats.isDirectory())) return
  if (!stats.isDirectory()) {
    moveFile(from, to, keepsBoth)
    return
  }
  makeFolder(to)
  for (const name of names(from)) move(join(from, name), join(to, name), keepsBoth)
  syncFolder(to)
  rmdirIfEmpty(from)
}

/** Whether nothing was in the way. A file in the way would be replaced, so only a folder is tried without a look. */
function moved(from: string, to: string, isFolder: boolean): boolean {
  if (!isFolder && lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    const code = errnoOf(error) ?? ''
    // Another process has moved it.
    if (code === 'ENOENT' && lstatSync(from, { throwIfNoEntry: false }) === undefined) return true
    if (['ENOTEMPTY', 'EEXIST', 'EXDEV', 'EPERM'].includes(code)) return false
    throw error
  }
}

function moveFile(from: string, to: string, keepsBoth: (path: string) => boolean): void {
  const [mine, theirs] = [bytesOf(from), bytesOf(to)]
  if (mine === undefined) return
  const longer = theirs === undefined || (mine.length > theirs.length && begins(mine, theirs))
  if (!longer && keepsBoth(from) && !begins(theirs, mine)) return
  if (longer) {
    // The two places may be on two disks.
    const temp = join(
      dirname(to),
      `.${basename(to)}.${crypto().randomBytes(8).toString('hex')}${TEMP_SUFFIX}`,
    )
    copyFileSync(from, temp)
    renameSync(temp, to)
  }
  rmSync(from, { force: true })
}

function begins(whole: Buffer, part: Buffer): boolean {
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

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}
