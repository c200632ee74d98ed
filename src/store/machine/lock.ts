import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { listNames } from '../../io/list-names.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'
import { isGone, newOwner, type Owner, parseOwner } from './lock-owner.ts'

/** Part of the hook bundle: node's own modules only. */

/** Longest wait for a lock that another process holds. */
const PATIENCE_MS = 15_000

/**
 * Runs `work` while nobody else on this machine runs under the same name in this workspace. A lock whose owner
 * died is taken over. Not reentrant. Throws `locked`, naming the owner, after `patience` milliseconds of waiting.
 */
export async function withLock<T>(
  local: string,
  name: string,
  work: () => T | Promise<T>,
  patience = PATIENCE_MS,
): Promise<T> {
  const path = lockPath(local, name)
  const owner = newOwner()
  for (const pause of pauses(patience)) {
    if (take(path, owner)) break
    if (pause === undefined) throw lockedError(path)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  try {
    return await work()
  } finally {
    release(path, owner)
  }
}

/** The same for a hook, which is synchronous: the process sleeps while it waits. */
export function withLockSync<T>(local: string, name: string, work: () => T, patience = PATIENCE_MS): T {
  const path = lockPath(local, name)
  const owner = newOwner()
  for (const pause of pauses(patience)) {
    if (take(path, owner)) break
    if (pause === undefined) throw lockedError(path)
    Atomics.wait(SLEEPER, 0, 0, pause)
  }
  try {
    return work()
  } finally {
    release(path, owner)
  }
}

const SLEEPER = new Int32Array(new SharedArrayBuffer(4))

function lockPath(local: string, name: string): string {
  const { locks } = localFiles(local)
  ensureLocalFolder(local, locks)
  return join(locks, `${fileNameOf(name)}.lock`)
}

export interface Held {
  path: string
  /** Undefined where the file does not say: its maker died while writing it. */
  pid: number | undefined
  /** ISO 8601. */
  since: string
  /** The process that took it has ended. */
  stale: boolean
}

/** Every lock of this machine that is taken now. */
export function listLocks(local: string): Held[] {
  const { locks } = localFiles(local)
  return listNames(locks, '').flatMap((name) => {
    const path = join(locks, name)
    const holder = readHolder(path)
    if (holder === undefined) return []
    return { path, pid: holder.pid || undefined, since: holder.at, stale: isGone(holder) }
  })
}

/** Removes a stale lock, as whoever wants it next would; false when it is no stale one any more, or another does it. */
export function removeStaleLock(path: string): boolean {
  breakStale(path, 0)
  return readHolder(path) === undefined
}

/** Milliseconds to sleep between attempts: doubling to 50, jittered so that waiters do not march in step; then undefined. */
function* pauses(patience: number): Generator<number | undefined> {
  const deadline = Date.now() + patience
  for (let pause = 1; Date.now() < deadline; pause = Math.min(pause * 2, 50))
    yield pause * (0.5 + Math.random())
  yield undefined
}

/** A dead owner's breaker may die too, and its breaker; deeper than this is no accident. */
const MAX_DEPTH = 3

/** Makes the lock file exclusively; first removes one whose owner is gone. */
function take(path: string, owner: Owner, depth = 0): boolean {
  if (create(path, owner)) return true
  const holder = readHolder(path)
  if (holder === undefined) return create(path, owner)
  if (!isGone(holder) || depth === MAX_DEPTH) return false
  breakStale(path, depth)
  return create(path, owner)
}

function create(path: string, owner: Owner): boolean {
  let fd: number
  try {
    fd = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw fileError(error, path, 'write')
  }
  try {
    writeSync(fd, JSON.stringify(owner))
    return true
  } catch (error) {
    rmSync(path, { force: true })
    throw fileError(error, path, 'write')
  } finally {
    closeSync(fd)
  }
}

/**
 * Removing a stale lock is itself done under a lock, and the owner is looked at again within it: a gone owner
 * never releases, so while we are the only breaker nobody can have put a live lock in the place of the stale one.
 */
function breakStale(path: string, depth: number): void {
  const breaker = newOwner()
  if (!take(`${path}.break`, breaker, depth + 1)) return
  try {
    const holder = readHolder(path)
    if (holder !== undefined && isGone(holder)) rmSync(path, { force: true })
  } finally {
    release(`${path}.break`, breaker)
  }
}

function release(path: string, owner: Owner): void {
  if (readHolder(path)?.nonce === owner.nonce) rmSync(path, { force: true })
}

/** Who holds the lock; undefined when nobody does. */
function readHolder(path: string): Owner | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'read')
  }
  try {
    const { mtimeMs } = fstatSync(fd)
    return parseOwner(readFileSync(fd, 'utf8'), mtimeMs)
  } finally {
    closeSync(fd)
  }
}

function lockedError(path: string): CortextError {
  const holder = readHolder(path)
  const who = holder?.pid ? `process ${holder.pid} on ${holder.host} since ${holder.at}` : 'another process'
  return new CortextError('locked', `${who} holds ${path}`, {
    fix: `wait until it is done and run the command again; if it hangs, end it: kill ${holder?.pid || '<pid>'}`,
  })
}
