import { renameSync } from 'node:fs'
import { errnoOf, fileError } from '../../io/file-error.ts'
import { clearedPath } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/**
 * `/clear` ends one native session and begins another. The hook at the end knows only the id of the first session, and
 * the hook at the start only that of the second. The same client process runs both hooks (seen with Claude Code 2.1.197
 * and 2.1.330). So the first hook leaves a note under the number of this process, and the second hook takes it.
 */
export interface Cleared {
  conversation: string
  command?: string
}

/** The client that cleared its session, and its process. */
interface Clearing {
  client: string
  pid: number
  now: Date
}

/** The next session begins within a second. Much later, the process number may belong to another process. */
const MAX_AGE_MS = 15_000

/** Leaves the note. Throws `disk-full`, `unwritable` or `unsafe-path`. */
export function noteCleared(local: string, { client, pid, now }: Clearing, cleared: Cleared): void {
  writeNote(local, noteAt(clearedPath(local, client, pid)), { ...cleared, at: now.toISOString() })
}

/**
 * Returns the note of a client and removes it; only one caller gets it. Undefined when there is none or it is too old.
 * Throws `unreadable` or `unwritable`.
 */
export function takeCleared(local: string, { client, pid, now }: Clearing): Cleared | undefined {
  const path = clearedPath(local, client, pid)
  const taken = noteAt(`${path}.taken`)
  try {
    renameSync(path, taken.path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'write')
  }
  const note = readNote(taken)
  removeNote(taken)
  if (note === undefined || now.getTime() - Date.parse(note.at) > MAX_AGE_MS) return undefined
  const { at: _, ...cleared } = note
  return cleared
}

interface Dated extends Cleared {
  at: string
}

function noteAt(path: string): Note<Dated> {
  return { path, parse }
}

function parse(value: unknown): Dated | undefined {
  const note = value as Dated
  return typeof note.conversation === 'string' && typeof note.at === 'string' ? note : undefined
}
