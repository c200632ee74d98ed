import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../../errors.ts'
import { errnoOf } from '../../../io/file-error.ts'
import { listNames } from '../../../io/list-names.ts'
import { paste } from '../../../text/paste.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../../layout.ts'
import { type Attempt, clear, newAttempt, ownersOf, release, take } from './lock-folder.ts'
import { freeFrom, isElsewhere, isGone, type Owner } from './lock-owner.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/** The longest wait for a lock that another process holds. */
const PATIENCE_MS = 15_000

/**
 * Runs `work` while no other process on this machine has the lock of this name in this workspace. A lock whose owner
 * died is taken over. Not reentrant. After `patience` milliseconds of waiting, throws `locked`, and the error names the
 * owner.
 */
export async function withLock<T>(
  local: string,
  name: string,
  work: () => T | Promise<T>,
  patience = PATIENCE_MS,
): Promise<T> {
  const attempt = newAttempt(lockPath(local, name))
  for (const pause of waitsUntilTaken(attempt, patience))
    await new Promise((resolve) => setTimeout(resolve, pause))
  try {
    return await work()
  } finally {
    release(attempt)
    tidy(local)
  }
}

/** Like `withLock`, but for a hook, which is synchronous: the process sleeps while it waits. */
export function withLockSync<T>(local: string, name: string, work: () => T, patience = PATIENCE_MS): T {
  const attempt = newAttempt(lockPath(local, name))
  for (const pause of waitsUntilTaken(attempt, patience)) Atomics.wait(SLEEPER, 0, 0, pause)
  try {
    return work()
  } finally {
    release(attempt)
    tidy(local)
  }
}

const SLEEPER = new Int32Array(new SharedArrayBuffer(4))

function lockPath(local: string, name: string): string {
  const { locks } = localFiles(local)
  ensureLocalFolder(local, locks)
  return join(locks, `${fileNameOf(name)}.lock`)
}

export interface HeldLock {
  path: string
  pid: number
  /** ISO 8601. */
  since: string
  /** The process that took the lock has ended. */
  stale: boolean
  /** Advice for a person when the lock is held for too long. */
  wayOut: string
}

/** Every lock of this machine that is taken now. */
export function listLocks(local: string): HeldLock[] {
  const { locks } = localFiles(local)
  return listNames(locks, '').flatMap((name) => {
    const path = join(locks, name)
    return ownersOf(path).map((owner) => ({
      path,
      pid: owner.pid,
      since: owner.at,
      stale: isGone(owner),
      wayOut: wayOut(path, owner),
    }))
  })
}

/** Removes a stale lock, as the next process does that wants the lock. Returns false when a live owner holds it. */
export function removeStaleLock(path: string): boolean {
  return clear(path)
}

/**
 * Tries until the lock is taken, and yields how many milliseconds to sleep before the next attempt. The pause doubles
 * up to 50 ms, and is varied by half at random, so that waiting processes do not try at the same moment.
 */
function* waitsUntilTaken(attempt: Attempt, patience: number): Generator<number> {
  const deadline = Date.now() + patience
  try {
    for (let pause = 1; !take(attempt); pause = Math.min(pause * 2, 50)) {
      if (Date.now() >= deadline) throw lockedError(attempt.path)
      yield pause * (0.5 + Math.random())
    }
  } catch (error) {
    release(attempt)
    throw error
  }
}

/**
 * Clears away what killed processes have left among the locks, because perhaps no process will want the same lock
 * again.
 */
function tidy(local: string): void {
  const { locks } = localFiles(local)
  try {
    for (const entry of readdirSync(locks, { withFileTypes: true }))
      if (entry.isDirectory()) clear(join(locks, entry.name))
  } catch (error) {
    // The work is done, so a lock that cannot be cleared is not a failure. The doctor reports it.
    if (!(error instanceof CortextError) && errnoOf(error) === undefined) throw error
  }
}

function lockedError(path: string): CortextError {
  const [owner] = ownersOf(path)
  const message =
    owner === undefined
      ? `another process holds ${path}`
      : `process ${owner.pid} on ${hostOf(owner)} has held ${path} since ${owner.at}`
  return new CortextError('locked', message, {
    fix: `wait until it is done and run the command again${owner === undefined ? '' : `; ${wayOut(path, owner)}`}`,
  })
}

/** Advice for a lock whose owner does not release it. A pid of another host means another process here. */
function wayOut(path: string, owner: Owner): string {
  if (isElsewhere(owner))
    return paste`it runs elsewhere, so its lock is free from ${freeFrom(owner).toISOString()} on; if it has ended: rm -r ${path}`
  return `if it hangs, end it: kill ${owner.pid}`
}

/** The name of the host, without the namespace of its process numbers. */
function hostOf({ host }: Owner): string {
  return host.split(' ')[0]!
}
