import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { crypto } from '../crypto.ts'
import { startOf } from './process.ts'

/** Part of the hook bundle: node's own modules only. Who holds a lock, and whether that process still lives. */
export interface Owner {
  pid: number
  /** Host and pid namespace: a pid means something only within both. */
  host: string
  /** When the process started, in clock ticks since boot; '' where there is no /proc. */
  start: string
  /** Names this one taking of the lock. */
  nonce: string
  /** ISO 8601. */
  at: string
}

export function newOwner(): Owner {
  return {
    pid: process.pid,
    host: thisHost(),
    start: startOf(process.pid) ?? '',
    nonce: crypto().randomBytes(8).toString('hex'),
    at: new Date().toISOString(),
  }
}

/** What a lock file says. One that does not say it (its maker is just writing, or died then) is dated by its mtime. */
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
 * On this host: the pid is free, or was given to another process since. From another host (a shared folder), or
 * when the lock file does not say whose it is: judged by its age.
 */
export function isGone(owner: Owner): boolean {
  const age = Date.now() - Date.parse(owner.at)
  if (owner.pid === 0) return age > UNSIGNED_MS
  if (owner.host !== thisHost()) return age > FOREIGN_MS
  if (!isRunning(owner.pid)) return true
  const start = startOf(owner.pid)
  return owner.start !== '' && start !== undefined && start !== owner.start
}

/** A lock is signed within microseconds of its making, and held for a publishing at most. */
const UNSIGNED_MS = 5_000
const FOREIGN_MS = 10 * 60_000

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false
  const owner = value as Record<string, unknown>
  const texts = ['host', 'start', 'nonce', 'at'].every((key) => typeof owner[key] === 'string')
  return texts && Number.isInteger(owner.pid) && Number(owner.pid) > 0
}

function thisHost(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is a running one too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
