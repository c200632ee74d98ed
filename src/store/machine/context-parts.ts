import { join } from 'node:path'
import * as z from '../../zod.ts'
import { fileNameOf, localFiles } from '../layout.ts'
import { type Note, readNote, removeNote, writeNote } from './note.ts'

interface NativeSession {
  client: string
  nativeId: string
}

/**
 * Stores the parts of a context that a native session receives in several calls. They replace the session's earlier
 * parts. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeContextParts(local: string, session: NativeSession, parts: string[]): void {
  writeNote(local, noteOf(local, session), parts)
}

/** The parts that writeContextParts stored last; empty when there are none. Throws `unreadable`. */
export function readContextParts(local: string, session: NativeSession): string[] {
  return readNote(noteOf(local, session)) ?? []
}

/** Leaves the recap of a native session that is about to be resumed, for our hook at its start. */
export function noteRecap(local: string, session: NativeSession, recap: string): void {
  writeNote(local, recapOf(local, session), recap)
}

/** Returns the recap of a native session and removes it. Undefined when there is none, or when it was taken already. */
export function takeRecap(local: string, session: NativeSession): string | undefined {
  const note = recapOf(local, session)
  const recap = readNote(note)
  removeNote(note)
  return recap
}

function recapOf(local: string, { client, nativeId }: NativeSession): Note<string> {
  const name = `${fileNameOf(client)}-${fileNameOf(nativeId)}.recap.json`
  const path = join(localFiles(local).contexts, name)
  return { path, parse: (value) => z.string().parse(value), cache: true }
}

function noteOf(local: string, { client, nativeId }: NativeSession): Note<string[]> {
  const name = `${fileNameOf(client)}-${fileNameOf(nativeId)}.parts.json`
  return { path: join(localFiles(local).contexts, name), parse: (value) => z.array(z.string()).parse(value) }
}
