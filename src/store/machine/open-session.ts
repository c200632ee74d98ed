import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'
import { startOf } from './process.ts'

/**
 * Part of the hook bundle: node's own modules only. Which native session a client process has open, for clients
 * whose shell commands are not told: their hooks note it under the number of the process that they run under, and
 * a command that the agent runs looks for it among its own ancestors.
 */
export interface OpenSession {
  client: string
  native_id: string
  /** Absent where a shell has noted a session that just began (src/clients/setup/hook-command.ts), as `turn` is. */
  transcript?: string
  /** Size of the transcript when the last turn began, or when it had ended. */
  turn?: number
  /** When the process began: a number may be given to another one later. */
  start: string
}

/** Notes the session of a client process. */
export function noteOpenSession(local: string, pid: number, host: Omit<OpenSession, 'start'>): void {
  const path = notePath(local, pid)
  ensureLocalFolder(local, join(path, '..'))
  const note: OpenSession = { ...host, start: startOf(pid) ?? '' }
  writeFileAtomic(path, JSON.stringify(note), { mode: 0o600, refuseSymlink: true, durable: false })
}

/** The session that a client process had open when its hooks noted it last. */
export function openSessionOf(local: string, pid: number): OpenSession | undefined {
  const host = readNote(local, pid)
  return host !== undefined && host.start === (startOf(pid) ?? '') ? host : undefined
}

/** The client process ends. */
export function removeOpenSession(local: string, pid: number): void {
  rmSync(notePath(local, pid), { force: true })
}

function readNote(local: string, pid: number): OpenSession | undefined {
  try {
    const host = JSON.parse(readFileSync(notePath(local, pid), 'utf8'))
    return typeof host?.native_id === 'string' && typeof host.client === 'string' ? host : undefined
  } catch {
    // None, or one that cannot be read: then the session is not known this way.
    return undefined
  }
}

function notePath(local: string, pid: number): string {
  return join(localFiles(local).hosts, `${fileNameOf(String(pid))}.json`)
}
