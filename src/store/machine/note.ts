import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CortextError } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { accessFile } from '../../io/file-error.ts'
import { readText } from '../../io/regular-file.ts'
import { ensureLocalFolder, localFiles } from '../layout.ts'
import { writeLog } from './log.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * A small file of this machine's own. It contains one JSON value, is replaced as a whole, and only this user can read
 * it.
 */
export interface Note<T> {
  path: string
  /** Returns the value with its type. Returns undefined or throws if it has another type. */
  parse: (value: unknown) => T | undefined
  /** The note may be lost at any time. If it cannot be read or written, nothing is thrown. */
  cache?: boolean
}

/**
 * The value of a note; undefined when there is none, it is torn, or it has another type. If the note is not a cache,
 * throws `unreadable` or `unsafe-path`.
 */
export function readNote<T>({ path, parse, cache = false }: Note<T>): T | undefined {
  try {
    const text = readText(path)
    return text === undefined ? undefined : parse(JSON.parse(text))
  } catch (error) {
    if (cache || !(error instanceof CortextError)) return undefined
    throw error
  }
}

/**
 * Writes a note, and syncs it if it is not a cache. `mtimeMs` is the time of its file; the default is now. Throws
 * `disk-full`, `unwritable` or `unsafe-path`; for a cache, the failure is only logged.
 */
export function writeNote<T>(
  local: string,
  { path, cache = false }: Note<T>,
  value: T,
  mtimeMs?: number,
): void {
  try {
    ensureLocalFolder(local, dirname(path))
    const options = { mode: 0o600, refuseSymlink: true, durable: !cache, mtimeMs }
    writeFileAtomic(path, `${JSON.stringify(value)}\n`, options)
  } catch (error) {
    if (!cache) throw error
    writeLog(local, error instanceof Error ? error.message : String(error))
  }
}

/** Removes a note, if there is one. Throws `unwritable`. */
export function removeNote({ path }: Pick<Note<unknown>, 'path'>): void {
  accessFile(path, 'write', () => rmSync(path, { force: true }))
}

/** A sentence that this machine prints once for each workspace. `no-git`: without git, a stop commits nothing. `lost-notes`: a
 * conversation was opened of which this machine has no notes. */
export type Notice = 'no-git' | 'lost-notes'

/**
 * Notes that a notice is printed, and returns true if it was not noted before. So if the note cannot be written, the
 * notice is printed every time.
 */
export function claimNotice(local: string, notice: Notice): boolean {
  const note: Note<true> = {
    path: join(localFiles(local).notices, `${notice}.json`),
    parse: (value) => (value === true ? value : undefined),
    cache: true,
  }
  if (readNote(note) === true) return false
  writeNote(local, note, true)
  return true
}
