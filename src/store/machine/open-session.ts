import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { startOf } from '../../io/process.ts'
import { ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'

/**
 * This file is part of the hook bundle: it imports only node's own modules. It notes which native session a client
 * process has open, for clients that do not tell their shell commands. Their hooks write the note under the number of
 * the client process, and a command that the agent runs looks for it among its own ancestors.
 */
export interface OpenSession {
  client: string
  native_id: string
  /** Absent, like `turn`, when a shell noted a session that just began (src/clients/shared/setup/hook-command.ts). */
  transcript?: string
  /** The size of the transcript when the last turn began, or when it ended. */
  turn?: number
  /** When the process began. The system may give its number to another process later. */
  start: string
}

/** Notes the session of a client process. */
export function noteOpenSession(local: string, pid: number, host: Omit<OpenSession, 'start'>): void {
  const path = notePath(local, pid)
  ensureLocalFolder(local, join(path, '..'))
  const note: OpenSession = { ...host, start: startOf(pid) ?? '' }
  writeFileAtomic(path, JSON.stringify(note), { mode: 0o600, refuseSymlink: true, durable: false })
}

/** The session that a client process had open when its hooks last noted it. */
export function openSessionOf(local: string, pid: number): OpenSession | undefined {
  const host = readNote(local, pid)
  return host !== undefined && host.start === (startOf(pid) ?? '') ? host : undefined
}

/** Removes the note when the client process ends. */
export function removeOpenSession(local: string, pid: number): void {
  rmSync(notePath(local, pid), { force: true })
}

function readNote(local: string, pid: number): OpenSession | undefined {
  try {
    // Where a hook has failed, its shell has marked the note (src/clients/shared/setup/hook-command.ts). It still holds.
    const host = JSON.parse(readFileSync(notePath(local, pid), 'utf8').replace(/(?:told)+$/, ''))
    return typeof host?.native_id === 'string' && typeof host.client === 'string' ? host : undefined
  } catch {
    // There is no note, or it cannot be read. Then the session is not known this way.
    return undefined
  }
}

function notePath(local: string, pid: number): string {
  return join(localFiles(local).openSessions, `${fileNameOf(String(pid))}.json`)
}
