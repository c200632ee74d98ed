import { turnMarkPath } from '../../layout.ts'
import { type Note, readNote, writeNote } from '../note.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Where the last turn began. This is not in the binding, because a command may be changing the binding when a hook
 * notes the turn. If the mark is lost, the transcript shows where the turn began.
 */
export interface TurnMark {
  /**
   * The size of the journal when the turn began. Before this offset are all earlier turns; the prompt of this turn
   * comes after it.
   */
  offset: number
  /** ISO 8601. */
  at: string
}

export function writeTurnMark(local: string, client: string, nativeId: string, mark: TurnMark): void {
  writeNote(local, noteOf(local, client, nativeId), mark)
}

/** Undefined when there is no mark or it cannot be read. */
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
