import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { rmdirIfEmpty } from '../../io/remove.ts'
import { isGone, newOwner, type Owner, parseOwner } from './lock-owner.ts'

/**
 * Part of the hook bundle: node's own modules only. How a lock lies on disk, and why two never hold it.
 *
 * A lock is a folder with one file in it. The file is named after one taking, by random bytes, and says who took
 * it. The folder is made aside, together with its file, and renamed into place. The system refuses that where a
 * folder with something in it lies already: of several takers one wins, and a lock is never seen without its owner.
 *
 * Only two things are ever removed: the file of one taking, by its own name, and an empty folder. The owner removes
 * its file when it is done; anybody may who has seen that the owner is dead. Names do not come twice, so whoever
 * saw a dead owner and was slow cannot remove the file of the next one. Clearing a dead lock therefore needs no
 * lock of its own.
 *
 * A process can be killed at any point. It leaves a folder aside, which nobody takes for held, or a lock whose owner
 * is dead, or an empty folder, which is free. Whoever is done with a lock clears all of these away.
 *
 * The clearing may empty a folder aside whose maker still lives: one that is just being filled, or that slept for
 * long on another machine. So a taker looks whether its file has come along, and else has taken nothing.
 */
export interface Taking {
  path: string
  /** Where the folder lies until it is renamed to `path`. */
  aside: string
  owner: Owner
}

/** Changes nothing on disk yet. */
export function newTaking(path: string): Taking {
  const owner = newOwner()
  return { path, aside: join(dirname(path), `.${basename(path)}.${owner.nonce}`), owner }
}

/** Whether the lock is ours now; false when a live owner has it, or another was faster. Throws as files do. */
export function take(taking: Taking): boolean {
  prepare(taking)
  if (moveIn(taking)) return true
  return clear(taking.path) && moveIn(taking)
}

/** Ends a taking, whether it has come to something or not. */
export function release({ path, aside, owner }: Taking): void {
  for (const folder of [path, aside]) {
    removeFile(join(folder, owner.nonce))
    removeFolder(folder)
  }
}

/** Removes what dead owners have left of a lock, or of a folder aside; false when a live one holds it. */
export function clear(path: string): boolean {
  const holders = holdersOf(path)
  const dead = holders.filter(({ owner }) => isGone(owner))
  for (const { file } of dead) removeFile(file)
  removeFolder(path)
  return dead.length === holders.length
}

/** Who is named in a lock: nobody when it is free, else one, who may be dead. */
export function holdersOf(path: string): { file: string; owner: Owner }[] {
  try {
    // What cannot be read here was torn by a power cut, so it is as old as can be.
    return readdirSync(path).flatMap((name) => holder(join(path, name), () => 0))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    // Before 1.0 a lock was a plain file. It was empty until it was signed, so a young one may still be.
    if (errnoOf(error) === 'ENOTDIR') return holder(path, (fd) => fstatSync(fd).mtimeMs)
    throw fileError(error, path, 'read')
  }
}

function holder(file: string, unsignedSince: (fd: number) => number): { file: string; owner: Owner }[] {
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
  try {
    return [{ file, owner: parseOwner(readFileSync(fd, 'utf8'), unsignedSince(fd)) }]
  } finally {
    closeSync(fd)
  }
}

function prepare({ aside, owner }: Taking): void {
  const file = join(aside, owner.nonce)
  if (existsSync(file)) return
  try {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Somebody took the empty folder for a left one.
    if (errnoOf(error) !== 'ENOENT') throw fileError(error, file, 'write')
  }
}

function moveIn({ path, aside, owner }: Taking): boolean {
  try {
    renameSync(aside, path)
  } catch (error) {
    if (REFUSED.includes(errnoOf(error) ?? '')) return false
    throw fileError(error, path, 'write')
  }
  return existsSync(join(path, owner.nonce))
}

/** A lock lies there (a file of the older kind: ENOTDIR; on Windows: EPERM), or our folder aside was cleared away. */
const REFUSED = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'ENOENT']

function removeFile(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    // It has gone already; or a file of the older kind has gone, and a folder, which this cannot remove, has come.
    if (!['ENOENT', 'ENOTDIR', 'EISDIR', 'EPERM'].includes(errnoOf(error) ?? ''))
      throw fileError(error, file, 'write')
  }
}

function removeFolder(folder: string): void {
  try {
    rmdirIfEmpty(folder)
  } catch (error) {
    // A file of the older kind.
    if (errnoOf(error) !== 'ENOTDIR') throw fileError(error, folder, 'write')
  }
}
