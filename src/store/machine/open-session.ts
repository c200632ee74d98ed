import { join } from 'node:path'
import { startOf } from '../../io/process.ts'
import { localFiles } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. It notes which
 * native session a client process has open, for clients that do not name the session to their shell commands. Their
 * hooks write the note under the number of the client process, and a command that the agent runs looks for a note under
 * the numbers of its ancestors.
 */
export interface OpenSession {
  client: string
  native_id: string
  /** Absent, like `turn`, when a shell noted a session that just began (src/clients/shared/setup/hook-command.ts). */
  transcript?: string
  /** The size of the transcript when the last turn began, or when it ended. */
  turn?: number
  /** The time at which the process began. The system may give its number to another process later. */
  start: string
}

/** Notes the session of a client process. */
export function noteOpenSession(local: string, pid: number, session: Omit<OpenSession, 'start'>): void {
  writeNote(local, noteOf(local, pid), { ...session, start: startOf(pid) ?? '' })
}

/** The session that a client process had open when its hooks last noted it. */
export function openSessionOf(local: string, pid: number): OpenSession | undefined {
  const session = readNote(noteOf(local, pid))
  return session !== undefined && session.start === (startOf(pid) ?? '') ? session : undefined
}

/** Removes the note when the client process ends. */
export function removeOpenSession(local: string, pid: number): void {
  removeNote(noteOf(local, pid))
}

function noteOf(local: string, pid: number): Note<OpenSession> {
  return { path: join(localFiles(local).openSessions, `${pid}.json`), parse, cache: true }
}

function parse(value: unknown): OpenSession | undefined {
  const session = value as OpenSession
  return typeof session.native_id === 'string' && typeof session.client === 'string' ? session : undefined
}
