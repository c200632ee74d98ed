import { crypto } from '../../../hash.ts'
import { hasEnded, nameProcess, type ProcessName, thisHost } from '../../../io/process.ts'
import { parseJson } from '../../../text/json.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. It says who owns
 * a lock, and whether this process is alive.
 */
export interface Owner extends ProcessName {
  /** Identifies one attempt to take the lock. */
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

/** Parses the content of a file in a lock; undefined when it names no owner. */
export function parseOwner(text: string): Owner | undefined {
  const value = parseJson(text)
  return isOwner(value) ? value : undefined
}

/**
 * Whether the owner is dead: its pid is free, or another process has this pid now. A process on another host or in
 * another container cannot be seen from here. It counts as dead when its lock is older than two minutes.
 */
export function isGone(owner: Owner): boolean {
  return isElsewhere(owner) ? isOver(owner) : hasEnded(owner)
}

/** Whether the owner runs on another host or in another container. */
export function isElsewhere({ host }: Owner): boolean {
  return host !== thisHost()
}

/** When the lock of an owner on another host or in another container becomes free. */
export function freeFrom({ at }: Owner): Date {
  return new Date(Date.parse(at) + FOREIGN_MS)
}

/**
 * Whether the lock counts as free. The clocks of two hosts differ a little, so `at` may be up to ten minutes ahead. A
 * later `at` comes from a wrong clock; then the lock counts as free, as it does if `at` is not a time.
 */
function isOver({ at }: Owner): boolean {
  const age = Date.now() - Date.parse(at)
  return !(age <= FOREIGN_MS && age >= -AHEAD_MS)
}

/** Publishing, the longest work under a lock, takes seconds. */
const FOREIGN_MS = 2 * 60_000
const AHEAD_MS = 10 * 60_000

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false
  const owner = value as Record<string, unknown>
  const texts = ['host', 'start', 'nonce', 'at'].every((key) => typeof owner[key] === 'string')
  return texts && Number.isInteger(owner.pid) && Number(owner.pid) > 0
}
