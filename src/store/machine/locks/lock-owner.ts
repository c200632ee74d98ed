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
 * Whether the owner is dead. On this host: its pid is free, or another process has it now. For another host (a shared
 * folder), or when the file names no owner, the age decides.
 */
export function isGone(owner: Owner): boolean {
  const age = Date.now() - Date.parse(owner.at)
  if (owner.pid === 0) return age > UNSIGNED_MS
  return owner.host === thisHost() ? hasEnded(owner) : age > FOREIGN_MS
}

/** A lock is signed microseconds after it is made, and held at most as long as publishing takes. */
const UNSIGNED_MS = 5_000
const FOREIGN_MS = 10 * 60_000

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false
  const owner = value as Record<string, unknown>
  const texts = ['host', 'start', 'nonce', 'at'].every((key) => typeof owner[key] === 'string')
  return texts && Number.isInteger(owner.pid) && Number(owner.pid) > 0
}
