import { turnMarkPath } from '../../layout.ts'
import { type Note, readNote, writeNote } from '../note.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * The place where the last turn began. It has a file of its own, so that a hook seldom rewrites a binding that a
 * command may be changing. If the file is lost, the transcript itself shows the place.
 */
export interface TurnMark {
  /**
   * The size of the journal when the last turn began. The journal then has all earlier turns, but not this turn's
   * prompt.
   */
  offset: number
  /** ISO 8601. */
  at: string
}

export function writeTurnMark(local: string, client: string, nativeId: string, mark: TurnMark): void {
  writeNote(local, noteOf(local, client, nativeId), mark)
}

/** Undefined when no turn was noted or the note cannot be read. */
export function readTurnMark(local: string, client: string, nativeId: string): TurnMark | undefined {
  return readNote(noteOf(local, client, nativeId))
}

function noteOf(local: string, client: string, nativeId: string): Note<TurnMark> {
  return { path: turnMarkPath(local, client, nativeId), parse, cache: true }
}

function parse(value: unknown): TurnMark | undefined {
  const { offset, at } = value as Record<string, unknown>
  return typeof offset === 'number' && typeof at === 'string' ? { offset, at } : undefined
}
