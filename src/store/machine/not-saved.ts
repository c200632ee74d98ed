import { basename } from 'node:path'
import { CortextError } from '../../errors.ts'
import * as z from '../../zod.ts'
import { localFiles } from '../layout.ts'
import { stampOf } from './indexes/file-index.ts'
import { withLockSync } from './locks/lock.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

const NotSaved = z.object({
  client: z.string(),
  nativeId: z.string(),
  transcript: z.string(),
  parts: z.array(
    z.object({
      why: z.enum(['before', 'stopped', 'lost']),
      into: z.optional(z.string()),
      messages: z.number(),
      turns: z.number(),
    }),
  ),
  command: z.string(),
})

/**
 * What of a native session is in no record, and the command that imports it. `parts` is empty when all of it is saved.
 * No text of a message is stored.
 */
export type NotSaved = z.infer<typeof NotSaved>

/**
 * `key` is made from the size and the time of the transcript, and from the session's segments and conversations. As long
 * as it is the same, the rest is valid.
 */
export interface Remembered extends NotSaved {
  key: string
}

/**
 * Whether a session of the note can be used. Nearly all sessions have no parts. Of those, only the key and the
 * transcript are used, and zod would take a tenth of a list of a thousand conversations.
 */
function isRemembered(value: unknown): boolean {
  if (!isObject(value)) return false
  const { key, transcript, parts } = value as Partial<Record<keyof Remembered, unknown>>
  const isSaved = Array.isArray(parts) && parts.length === 0 && typeof transcript === 'string'
  return typeof key === 'string' && (isSaved || z.safeParse(NotSaved, value).success)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

interface OpenNote {
  /** By client and native id; empty when there is no note. */
  sessions: Record<string, Remembered>
  /**
   * Writes the note if nobody has changed or removed it since it was read, and if `isCurrent` returns true, which is
   * asked under the lock of the note. Without this, a `list` that runs during a deletion would write the path of the
   * deleted conversation into the note again.
   */
  replace(sessions: Record<string, Remembered>, isCurrent: () => boolean): void
}

/** Reads the note of what is not saved. */
export function openNotSaved(local: string): OpenNote {
  const note = noteOf(local)
  const stamp = stampOf(note.path)
  const write = (sessions: Record<string, Remembered>, isCurrent: () => boolean) => {
    if (stampOf(note.path) === stamp && isCurrent()) writeNote(local, note, sessions)
  }
  return {
    sessions: readNote(note) ?? {},
    replace(sessions, isCurrent) {
      try {
        withNoteLock(local, () => write(sessions, isCurrent), PATIENCE_MS)
      } catch (error) {
        // Without the note, the next `list` is slower.
        if (!(error instanceof CortextError)) throw error
      }
    },
  }
}

/** Removes the note, because it may contain the path of the deleted conversation. Throws `locked` and `unwritable`. */
export function forgetNotSaved(local: string): void {
  withNoteLock(local, () => removeNote(noteOf(local)))
}

/** How long writing the note waits for the lock. */
const PATIENCE_MS = 500

function withNoteLock(local: string, work: () => void, patience?: number): void {
  const { path } = noteOf(local)
  withLockSync(local, basename(path), work, patience)
}

function noteOf(local: string): Note<Record<string, Remembered>> {
  const parse = (value: unknown) =>
    isObject(value) && Object.values(value).every(isRemembered)
      ? (value as Record<string, Remembered>)
      : undefined
  return { path: localFiles(local).notSaved, parse, cache: true }
}
