import { existsSync, mkdirSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errnoOf, fileError } from '../../../io/file-error.ts'
import { readText } from '../../../io/regular-file.ts'
import { rmdirIfEmpty } from '../../../io/remove.ts'
import { isGone, newOwner, type Owner, parseOwner } from './lock-owner.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. It defines how a
 * lock looks on disk, and why two processes of one machine never have it at once.
 *
 * A lock is a folder with one file in it. The file's name is random bytes that identify one attempt to take the lock;
 * its content names the owner. A process makes a temporary folder with its file, and renames the folder to the path of
 * the lock. The system refuses this if a folder that is not empty is there already. So one of several processes wins,
 * and a lock is never seen without its owner.
 *
 * Three things are removed: the file of one attempt, by its own name; a file that names no owner; and an empty folder.
 * The owner removes its file when it is done. Any process that has seen that the owner is dead may remove the file too.
 * No two attempts have the same file name, so a slow process that saw a dead owner cannot remove the next owner's file.
 * Clearing a dead lock therefore needs no lock of its own.
 *
 * A process can be killed at any point. It leaves a temporary folder, which does not count as a lock, or a lock whose
 * owner is dead, or an empty folder, which is free. A process that is done with a lock clears all of these away.
 *
 * This clearing may empty the temporary folder of a live process: a folder that is just being filled, or the folder of
 * a process that was long suspended on another machine. The clearing may even look up the folder before the rename, and
 * remove the file after it. So after the folder is in place, a process renames its file, to a name that no process can
 * have seen in the temporary folder. If the file is gone by then, the lock was not taken.
 */
export interface Attempt {
  path: string
  /** The folder before it is renamed to `path`. */
  temporary: string
  owner: Owner
}

/** Names an attempt. This changes nothing on disk yet. */
export function newAttempt(path: string): Attempt {
  const owner = newOwner()
  return { path, temporary: join(dirname(path), `.${basename(path)}.${owner.nonce}`), owner }
}

/**
 * Takes the lock if possible, and returns whether it is ours now. False when a live owner has it or another process was
 * faster. Throws `unreadable`, `unwritable` and the like.
 */
export function take(attempt: Attempt): boolean {
  prepare(attempt)
  if (moveIn(attempt)) return true
  return clear(attempt.path) && moveIn(attempt)
}

/** Ends an attempt, whether it succeeded or not. */
export function release({ path, temporary, owner }: Attempt): void {
  removeFile(heldFile(path, owner))
  for (const folder of [path, temporary]) {
    removeFile(join(folder, owner.nonce))
    removeFolder(folder)
  }
}

/**
 * Removes what dead owners have left of a lock or a temporary folder. Returns false when a live owner holds the lock.
 */
export function clear(path: string): boolean {
  const files = filesOf(path)
  const dead = files.filter(({ owner }) => owner === undefined || isGone(owner))
  for (const { file } of dead) removeFile(file)
  removeFolder(path)
  return dead.length === files.length
}

/** The owners that a lock names, dead or alive: at most one as a rule, none when the lock is free. */
export function ownersOf(path: string): Owner[] {
  return filesOf(path).flatMap(({ owner }) => owner ?? [])
}

/**
 * The files in a lock with their owners. A file without an owner was torn by a power cut, or another program put it
 * there.
 */
function filesOf(path: string): { file: string; owner: Owner | undefined }[] {
  try {
    return readdirSync(path).flatMap((name) => readOwner(join(path, name)))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, path, 'read')
  }
}

function readOwner(file: string): { file: string; owner: Owner | undefined }[] {
  const text = readText(file)
  return text === undefined ? [] : [{ file, owner: parseOwner(text) }]
}

function prepare({ temporary, owner }: Attempt): void {
  const file = join(temporary, owner.nonce)
  if (existsSync(file)) return
  try {
    mkdirSync(temporary, { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Another process saw the folder empty, took it for a left-over one, and removed it.
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, file, 'write')
  }
}

function moveIn({ path, temporary, owner }: Attempt): boolean {
  try {
    renameSync(temporary, path)
  } catch (error) {
    if (REFUSED.includes(errnoOf(error) ?? '')) return false
    throw fileError(error, path, 'write')
  }
  try {
    renameSync(join(path, owner.nonce), heldFile(path, owner))
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw fileError(error, path, 'write')
  }
}

function heldFile(path: string, { nonce }: Owner): string {
  return join(path, `${nonce}.held`)
}

/** A lock is there already (EPERM: on Windows), or our temporary folder was cleared away. */
const REFUSED = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT']

function removeFile(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, file, 'write')
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirIfEmpty(folder)
  } catch (error) {
    throw fileError(error, folder, 'write')
  }
}
