import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CortextError } from '../../../errors.ts'
import { crypto } from '../../../hash.ts'
import { errnoOf } from '../../../io/file-error.ts'
import { listNames } from '../../../io/list-names.ts'
import { paste } from '../../../text/paste.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../../layout.ts'
import { type Attempt, clear, newAttempt, ownersOf, release, take } from './lock-folder.ts'
import { freeFrom, isElsewhere, isGone, type Owner } from './lock-owner.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/** How long a process waits for a lock. */
const PATIENCE_MS = 15_000

/**
 * Takes the lock `name` of this workspace on this machine, runs `work`, and releases the lock. Takes over a lock whose
 * owner is dead. `work` must not take the same lock again. After `patience` milliseconds of waiting, throws `locked`;
 * the message names the owner.
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

/** Like `withLock`, but synchronous: the whole process sleeps while it waits. */
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

/**
 * The name of the lock of the conversation in `path`. It does not tell the path, which has the title in it: a killed
 * program leaves its lock, also after the conversation was deleted.
 */
export function conversationLock(path: string): string {
  return `conversation-${crypto().createHash('sha256').update(path).digest('hex').slice(0, 32)}`
}

function lockPath(local: string, name: string): string {
  const { locks } = localFiles(local)
  ensureLocalFolder(local, locks)
  return join(locks, `${fileNameOf(name)}.lock`)
}

/** The name of the lock of a process that makes a workspace again, for example in a new worktree. */
export const COME_BACK = 'come-back'

export interface HeldLock {
  path: string
  pid: number
  /** ISO 8601. */
  since: string
  /** The owner is dead. */
  stale: boolean
  /** What a person can do if the owner holds the lock for too long. */
  wayOut: string
}

/** The locks of this workspace on this machine that are taken now. */
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

/** Whether a live process has the lock `name` now. */
export function isLocked(local: string, name: string): boolean {
  return ownersOf(lockPath(local, name)).some((owner) => !isGone(owner))
}

/** Removes a stale lock. Returns false when a live owner holds it. */
export function removeStaleLock(path: string): boolean {
  return clear(path)
}

/**
 * Tries to take the lock until it succeeds. Before each further try, yields how many milliseconds to sleep. The pause
 * doubles from 1 to 50 ms. It is made up to half longer or shorter at random, so that waiting processes do not all try
 * at the same moment.
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

/** Clears away the dead locks of this workspace. Perhaps no process will ever take the same lock again and clear it. */
function tidy(local: string): void {
  const { locks } = localFiles(local)
  try {
    for (const entry of readdirSync(locks, { withFileTypes: true }))
      if (entry.isDirectory()) clear(join(locks, entry.name))
  } catch (error) {
    // The work under the lock is done, so this must not fail. `doctor` reports locks that stay.
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

/** For an owner on another host the advice must not be `kill`: on this host, its pid belongs to another process. */
function wayOut(path: string, owner: Owner): string {
  if (isElsewhere(owner))
    return paste`it runs elsewhere, so its lock is free from ${freeFrom(owner).toISOString()} on; if it has ended: rm -r ${path}`
  return `if it hangs, end it: kill ${owner.pid}`
}

/** The name of the host, without the pid namespace. */
function hostOf({ host }: Owner): string {
  return host.split(' ')[0]!
}
