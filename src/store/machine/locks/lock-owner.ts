import { crypto } from '../../../crypto.ts'
import { hasEnded, nameProcess, type ProcessName, thisHost } from '../../../io/process.ts'

/**
 * This file is part of the hook bundle: it imports only node's own modules. It says who holds a lock, and whether that
 * process still lives.
 */
export interface Owner extends ProcessName {
  /** Names this one taking of the lock. */
  nonce: string
  /** ISO 8601. */
  at: string
}

export function newOwner(): Owner {
  return {
    ...nameProcess(process.pid),
    nonce: crypto().randomBytes(8).toString('hex'),
    at: new Date().toISOString(),
  }
}

/** Parses a lock file. A file without an owner (its maker is just writing it, or died then) is dated by its mtime. */
export function parseOwner(text: string, mtimeMs: number): Owner {
  const unreadable: Owner = { pid: 0, host: '', start: '', nonce: '', at: new Date(mtimeMs).toISOString() }
  try {
    const value: unknown = JSON.parse(text)
    return isOwner(value) ? value : unreadable
  } catch {
    return unreadable
  }
}

/**
 * Whether the owner is dead. On this host: its pid is free, or another process has it now. For another host or container
 * (a shared folder), and when the file names no owner, the time decides.
 */
export function isGone(owner: Owner): boolean {
  if (isElsewhere(owner)) return isOver(owner, FOREIGN_MS)
  return owner.pid === 0 ? isOver(owner, UNSIGNED_MS) : hasEnded(owner)
}

/** Whether the owner runs where nobody here can tell whether it has ended: on another host, or in another container. */
export function isElsewhere({ pid, host }: Owner): boolean {
  return pid !== 0 && host !== thisHost()
}

/** When the lock of an owner elsewhere counts as free. */
export function freeFrom({ at }: Owner): Date {
  return new Date(Date.parse(at) + FOREIGN_MS)
}

/** Clocks of two hosts differ a little. A time that is far ahead was written by a clock that was wrong; so is none. */
function isOver({ at }: Owner, most: number): boolean {
  const age = Date.now() - Date.parse(at)
  return !(age <= most && age >= -AHEAD_MS)
}

/** A lock is signed microseconds after it is made, and held for seconds: as long as publishing takes. */
const UNSIGNED_MS = 5_000
const FOREIGN_MS = 2 * 60_000
const AHEAD_MS = 10 * 60_000

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false
  const owner = value as Record<string, unknown>
  const texts = ['host', 'start', 'nonce', 'at'].every((key) => typeof owner[key] === 'string')
  return texts && Number.isInteger(owner.pid) && Number(owner.pid) > 0
}
