import { crypto } from '../../../hash.ts'
import { hasEnded, nameProcess, type ProcessName, thisHost } from '../../../io/process.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. It names the
 * owner of a lock, and decides whether that process is alive.
 */
export interface Owner extends ProcessName {
  /** Names this attempt to take the lock. */
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

/** Parses the file in a lock; undefined when it names no owner. */
export function parseOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isOwner(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether the owner is dead: its pid is free, or another process has it now. A process on another host or in another
 * container cannot be looked up from here, so the age of its lock decides.
 */
export function isGone(owner: Owner): boolean {
  return isElsewhere(owner) ? isOver(owner) : hasEnded(owner)
}

/** Whether the owner runs on another host or in another container. */
export function isElsewhere({ host }: Owner): boolean {
  return host !== thisHost()
}

/** The time from which the lock of an owner elsewhere counts as free. */
export function freeFrom({ at }: Owner): Date {
  return new Date(Date.parse(at) + FOREIGN_MS)
}

/**
 * Clocks of two hosts differ a little, so a time slightly ahead is valid. A time far ahead comes from a wrong clock:
 * like a text that is no time, it counts as over.
 */
function isOver({ at }: Owner): boolean {
  const age = Date.now() - Date.parse(at)
  return !(age <= FOREIGN_MS && age >= -AHEAD_MS)
}

/** A lock is held for seconds: as long as publishing takes. */
const FOREIGN_MS = 2 * 60_000
const AHEAD_MS = 10 * 60_000

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false
  const owner = value as Record<string, unknown>
  const texts = ['host', 'start', 'nonce', 'at'].every((key) => typeof owner[key] === 'string')
  return texts && Number.isInteger(owner.pid) && Number(owner.pid) > 0
}
