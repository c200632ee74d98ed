import { join } from 'node:path'
import { startOf } from '../../io/process.ts'
import { localFiles } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/**
 * This file is part of the hook bundle: it imports only node's modules and other files of the bundle. Some clients do
 * not tell their shell commands which native session is open. Their hooks note it under the number of the client
 * process. A command that the agent runs looks for a note of one of its ancestors.
 */
export interface OpenSession {
  client: string
  native_id: string
  transcript: string
  /** The size of the transcript in bytes when a hook last noted the session: where the running turn began. */
  turn?: number
  /** When the process started. A later process may have the same number. */
  start: string
}

export function noteOpenSession(local: string, pid: number, session: Omit<OpenSession, 'start'>): void {
  writeNote(local, noteOf(local, pid), { ...session, start: startOf(pid) ?? '' })
}

/** The session that the last hook of a client process has noted. Undefined if another process has this number now. */
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
