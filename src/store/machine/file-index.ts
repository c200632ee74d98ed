import { readFileSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { CortextError } from '../../errors.ts'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureLocalFolder } from '../layout.ts'

/** What was read from many small files, so that the next time a `stat` of each is enough. */
export interface FileIndex<T> {
  /** To be asked once a key: the value of the file `key`, whose present stats are given: as indexed, or read by `read`. */
  look(key: string, stats: Stats, read: () => T): T
  /** Writes the index if it changed; keys that were not looked at since it was opened are gone from it. */
  save(): void
}

/**
 * Opens a cache that is never wrong: a file counts as unchanged when its modification and change times, size and
 * inode are the same, and only files that had been still for two seconds when read are indexed (a later write in
 * the same tick of the clock would not show). The index may be deleted at any time; a broken one is empty.
 */
export function openFileIndex<T>(local: string, path: string): FileIndex<T> {
  const rows = readIndex<T>(path)
  const seen: Row<T>[] = []
  let changed = false
  let byKey: Map<string, Row<T>> | undefined
  // Files are looked at in the order of the last time, until one came or went.
  const rowOf = (key: string): Row<T> | undefined => {
    const next = rows[seen.length]
    if (next?.[0] === key) return next
    byKey ??= new Map(rows.map((row) => [row[0], row]))
    return byKey.get(key)
  }
  return {
    look(key, stats, read) {
      const row = rowOf(key)
      if (row !== undefined && isSame(row, stats)) {
        seen.push(row)
        return row[5]
      }
      const { mtimeMs, ctimeMs, size, ino } = stats
      const value = read()
      if (Date.now() - Math.max(mtimeMs, ctimeMs) > STILL_MS) {
        seen.push([key, mtimeMs, ctimeMs, size, ino, value])
        changed = true
      }
      return value
    },
    save() {
      if (changed || seen.length !== rows.length) writeIndex(local, path, seen)
    },
  }
}

const STILL_MS = 2000
/** Raised whenever the values in an index change their shape. */
const FORMAT = 3

type Row<T> = [key: string, mtimeMs: number, ctimeMs: number, size: number, ino: number, value: T]

function isSame<T>([, mtimeMs, ctimeMs, size, ino]: Row<T>, stats: Stats): boolean {
  return mtimeMs === stats.mtimeMs && ctimeMs === stats.ctimeMs && size === stats.size && ino === stats.ino
}

function readIndex<T>(path: string): Row<T>[] {
  try {
    const { format, rows } = JSON.parse(readFileSync(path, 'utf8'))
    return format === FORMAT && isRows(rows) ? (rows as Row<T>[]) : []
  } catch {
    // Missing, unreadable or torn: everything is read anew.
    return []
  }
}

function isRows(rows: unknown): boolean {
  return Array.isArray(rows) && rows.every((row) => Array.isArray(row))
}

function writeIndex<T>(local: string, path: string, rows: Row<T>[]): void {
  try {
    ensureLocalFolder(local, dirname(path))
    const text = JSON.stringify({ format: FORMAT, rows })
    writeFileAtomic(path, text, { mode: 0o600, refuseSymlink: true, durable: false })
  } catch (error) {
    // A full disk or a read-only folder only makes the next reading slower.
    if (!(error instanceof CortextError)) throw error
  }
}
