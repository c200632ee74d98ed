import { existsSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { accessFile, errnoOf, fileError, patiently } from '../../../io/file-error.ts'
import { makeFolders } from '../../../io/real-folder.ts'
import { readText } from '../../../io/regular-file.ts'
import { rmdirIfEmpty } from '../../../io/remove.ts'
import { isGone, newOwner, type Owner, parseOwner } from './lock-owner.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. It says how a
 * lock looks on disk, and why two processes of one machine never have it at once.
 *
 * A lock is a folder with one file in it. The file's name is random, and identifies one attempt to take the lock. The
 * file's content names the owner, a process. To take the lock, a process makes a temporary folder with its file, and
 * renames this folder to the path of the lock. The system refuses this if the lock's folder exists and is not empty. So
 * only one process takes the lock, and a lock always has its owner in it.
 *
 * The owner removes its file when it is done, and then the empty folder. If a process sees that the owner is dead, or
 * that a file names no owner, it removes this file by its name. Every attempt has another file name, so a slow process
 * that saw a dead owner cannot remove the file of the next owner. Therefore clearing a dead lock needs no lock.
 *
 * A process can be killed at any point. Then one of three things is left: a temporary folder, which is no lock; a lock
 * whose owner is dead; or an empty folder, which counts as free. Every process that is done with its lock clears these
 * away.
 *
 * This clearing may empty the temporary folder of a live process. The process may just have made the folder, or it may
 * run on another machine that was suspended for a long time. The clearing may even find the file before the process
 * renames the folder, and remove it after that. So when the folder is in place, the process renames its file to
 * `<name>.held`, a name that nobody has seen in the temporary folder. If this fails because the file is gone, the
 * process has not taken the lock.
 */
export interface Attempt {
  path: string
  /** The temporary folder, which is renamed to `path`. */
  temporary: string
  owner: Owner
}

export function newAttempt(path: string): Attempt {
  const owner = newOwner()
  return { path, temporary: join(dirname(path), `.${basename(path)}.${owner.nonce}`), owner }
}

/**
 * Tries to take the lock. Returns false when a live owner has it or another process was faster. Throws `unreadable`,
 * `unwritable` and the like.
 */
export function take(attempt: Attempt): boolean {
  prepare(attempt)
  if (moveIn(attempt)) return true
  return clear(attempt.path) && moveIn(attempt)
}

/** Removes the files of an attempt, whether or not it took the lock. */
export function release({ path, temporary, owner }: Attempt): void {
  removeFile(heldFile(path, owner))
  for (const folder of [path, temporary]) {
    removeFile(join(folder, owner.nonce))
    accessFile(folder, 'write', () => rmdirIfEmpty(folder))
  }
}

/**
 * Removes the files of dead owners from a lock or a temporary folder, and the folder if it is empty then. Returns false
 * when a live owner holds the lock.
 */
export function clear(path: string): boolean {
  const files = filesOf(path)
  const dead = files.filter(({ owner }) => owner === undefined || isGone(owner))
  for (const { file } of dead) removeFile(file)
  accessFile(path, 'write', () => rmdirIfEmpty(path))
  return dead.length === files.length
}

/** The owners that the files of a lock name, dead or alive. Normally one; none when the lock is free. */
export function ownersOf(path: string): Owner[] {
  return filesOf(path).flatMap(({ owner }) => owner ?? [])
}

/**
 * The files in a lock with their owners. If a file names no owner, a power cut has torn it or another program has made
 * it.
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

function prepare({ path, temporary, owner }: Attempt): void {
  const file = join(temporary, owner.nonce)
  if (existsSync(file)) return
  try {
    makeFolders(temporary, 0o700)
    writeFileSync(file, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Another process has removed the folder, because it was still empty.
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, path, 'write')
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
    patiently(() => renameSync(join(path, owner.nonce), heldFile(path, owner)))
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw fileError(error, path, 'write')
  }
}

function heldFile(path: string, { nonce }: Owner): string {
  return join(path, `${nonce}.held`)
}

/** Another process has the lock (on Windows the error is EPERM), or has removed our temporary folder (ENOENT). */
const REFUSED = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT']

function removeFile(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, file, 'write')
  }
}
