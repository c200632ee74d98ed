import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CortextError } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { fileError } from '../../io/file-error.ts'
import { readText } from '../../io/regular-file.ts'
import { ensureLocalFolder } from '../layout.ts'
import { writeLog } from './log.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * A small file of this machine's own: one JSON value, which only this user can read, and which is replaced as a whole.
 */
export interface Note<T> {
  path: string
  /** The schema: returns the value if the file contains one of this type; otherwise returns undefined or throws. */
  parse: (value: unknown) => T | undefined
  /** The note may be lost at any time, so a failure to read or write it stops no work. */
  cache?: boolean
}

/** The value of a note; undefined when there is none, or it is torn or of another shape. Throws `unreadable` or `unsafe-path`. */
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
 * Writes a note, durably unless it is a cache. A cache that cannot be written is logged; otherwise throws `disk-full`,
 * `unwritable` or `unsafe-path`.
 */
export function writeNote<T>(local: string, { path, cache = false }: Note<T>, value: T): void {
  try {
    ensureLocalFolder(local, dirname(path))
    const options = { mode: 0o600, refuseSymlink: true, durable: !cache }
    writeFileAtomic(path, `${JSON.stringify(value)}\n`, options)
  } catch (error) {
    if (!cache) throw error
    writeLog(local, error instanceof Error ? error.message : String(error))
  }
}

/** Removes a note, if there is one. Throws `unwritable`. */
export function removeNote({ path }: Pick<Note<unknown>, 'path'>): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    throw fileError(error, path, 'write')
  }
}
