import { join } from 'node:path'
import type { Message } from '../../session/schema.ts'
import { fileNameOf, localFiles } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

/**
 * The messages that publishing would append to a record. Without this note, every search would read and redact the
 * journals again. The note is valid as long as `stamp` is the same.
 */
interface Unpublished {
  stamp: string
  messages: readonly Message[]
}

export function writeUnpublished(
  local: string,
  path: string,
  stamp: string,
  messages: readonly Message[],
): void {
  writeNote(local, noteOf(local, path), { stamp, messages })
}

/** The messages of the note; undefined when there is no note or it has another stamp. */
export function readUnpublished(local: string, path: string, stamp: string): Message[] | undefined {
  const found = readNote(noteOf(local, path))
  return found?.stamp === stamp ? [...found.messages] : undefined
}

/** Throws `unwritable`. */
export function forgetUnpublished(local: string, path: string): void {
  removeNote(noteOf(local, path))
}

function noteOf(local: string, path: string): Note<Unpublished> {
  const file = join(localFiles(local).unpublished, `${fileNameOf(path)}.json`)
  return { path: file, parse, cache: true }
}

function parse(value: unknown): Unpublished | undefined {
  const note = value as Unpublished
  return Array.isArray(note.messages) ? note : undefined
}
