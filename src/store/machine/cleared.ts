import { startOf } from '../../io/process.ts'
import { clearedPath } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/**
 * `/clear` ends one native session and begins another. The hook at the end knows only the id of the first session, and
 * the hook at the start only that of the second. The same client process runs both hooks (seen with Claude Code 2.1.197
 * and 2.1.330). So the first hook leaves a note under the number of this process, and the second hook reads it.
 */
export interface Cleared {
  conversation: string
  command?: string
  /** The session that was cleared. */
  nativeId?: string
}

/** The client that cleared its session, and its process. */
interface Clearing {
  client: string
  pid: number
  now: Date
}

/** Without /proc: the next session begins within a second. Much later, the process number may be of another process. */
const MAX_AGE_MS = 15_000

/** Leaves the note. Throws `disk-full`, `unwritable` or `unsafe-path`. */
export function noteCleared(local: string, { client, pid, now }: Clearing, cleared: Cleared): void {
  const note = { ...cleared, at: now.toISOString(), start: startOf(pid) }
  writeNote(local, noteAt(local, { client, pid }), note)
}

/**
 * Returns the note of a client. Undefined when there is none, or it is of an earlier process with this number. The
 * caller removes the note once the conversation continues, so that a failure before does not end the recording. Throws
 * `unreadable`.
 */
export function readCleared(local: string, { client, pid, now }: Clearing): Cleared | undefined {
  const note = readNote(noteAt(local, { client, pid }))
  if (note === undefined) return undefined
  const { at, start, ...cleared } = note
  const isOfProcess =
    start === undefined ? now.getTime() - Date.parse(at) <= MAX_AGE_MS : start === startOf(pid)
  return isOfProcess ? cleared : undefined
}

/** Throws `unwritable`. */
export function removeCleared(local: string, clearing: Pick<Clearing, 'client' | 'pid'>): void {
  removeNote(noteAt(local, clearing))
}

interface Dated extends Cleared {
  at: string
  /** See ProcessName; absent without /proc. */
  start?: string | undefined
}

function noteAt(local: string, { client, pid }: Pick<Clearing, 'client' | 'pid'>): Note<Dated> {
  return { path: clearedPath(local, client, pid), parse }
}

function parse(value: unknown): Dated | undefined {
  const note = value as Dated
  return typeof note.conversation === 'string' && typeof note.at === 'string' ? note : undefined
}
