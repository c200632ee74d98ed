import { closeSync, fstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CortextError } from '../../../errors.ts'
import { TEMP_SUFFIX, writeFileAtomic } from '../../../io/atomic-write.ts'
import { listAllNames } from '../../../io/list-names.ts'
import { openRegular } from '../../../io/regular-file.ts'
import { removePath } from '../../../io/remove.ts'
import { ensureLocalFolder } from '../../layout.ts'
import { withLockSync } from '../locks/lock.ts'

/** A cache of what many small files contain. A file that has not changed needs only a `stat`. */
export interface FileIndex<T> {
  /**
   * Returns the value of the file `key`: from the index if the file is unchanged, else from `read`. `stats` are the
   * file's present stats. Call this once for each key.
   */
  look(key: string, stats: Stats, read: () => T): T
  /** Writes the index if it has changed. Keys for which nobody has called `look` are removed. */
  save(): void
}

/**
 * Opens the index at `path`. A file counts as unchanged when its modification time, change time, size and inode are the
 * same. Two writes shortly after each other may leave the same times. So a file is indexed only if its last change is
 * more than two seconds ago. The index may be deleted at any time, and a broken one counts as empty. `makers` are the
 * functions that make the values; when the text of one of them changes, all files are read again.
 */
export function openFileIndex<T>(local: string, path: string, makers: readonly Maker[]): FileIndex<T> {
  const format = formatOf(makers)
  const { rows, stamp } = readIndex<T>(path, format)
  const seen: Row<T>[] = []
  let changed = false
  let byKey: Map<string, Row<T>> | undefined
  // `look` is called in the same order in every run, so the next row is the right one until a file comes or goes.
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
      if (changed || seen.length !== rows.length)
        replaceIndex(local, path, () => (stampOf(path) === stamp ? { format, rows: seen } : undefined))
    },
  }
}

/**
 * A hash of all sources, set by scripts/build.mjs. Bundles use it instead of the texts of the makers, because each
 * bundle minifies these in its own way.
 */
declare const __SOURCES__: string

export function formatOf(makers: readonly Maker[]): string[] {
  return typeof __SOURCES__ === 'string' ? [__SOURCES__] : makers.map(String)
}

/**
 * Removes every row that contains `word`, and what killed writes of the index have left. Writes the index also if no row
 * does: a process that has opened the old index does not save its rows over a newer one, so it cannot bring the word
 * back.
 */
export function forgetInIndex(local: string, path: string, word: string): void {
  withIndexLock(local, path, () => {
    const { format, rows } = readIndex(path)
    const escaped = JSON.stringify(word).slice(1, -1)
    const left = rows.filter((row) => !JSON.stringify(row).includes(escaped))
    ensureLocalFolder(local, dirname(path))
    // Whoever writes the index holds its lock.
    for (const name of listAllNames(local, TEMP_SUFFIX))
      if (name.startsWith(`.${basename(path)}.`)) removePath(join(local, name))
    writeFileAtomic(path, JSON.stringify({ format, rows: left }), FILE)
  })
}

const STILL_MS = 2000
/** How long saving an index waits for its lock. */
const PATIENCE_MS = 500
const FILE = { mode: 0o600, refuseSymlink: true, durable: false }

type Maker = (...args: never[]) => unknown

/** Identifies a version of a file that every write makes anew; undefined when there is none. */
type Stamp = string | undefined

type Row<T> = [key: string, mtimeMs: number, ctimeMs: number, size: number, ino: number, value: T]

function isSame<T>([, mtimeMs, ctimeMs, size, ino]: Row<T>, stats: Stats): boolean {
  return mtimeMs === stats.mtimeMs && ctimeMs === stats.ctimeMs && size === stats.size && ino === stats.ino
}

/** Reads an index of the wanted format, or of any format when `wanted` is absent. */
function readIndex<T>(path: string, wanted?: readonly string[]) {
  const nothing = { format: wanted ?? [], rows: [] as Row<T>[] }
  const fd = openIndex(path)
  if (fd === undefined) return { ...nothing, stamp: stampOf(path) }
  const stamp = nameOf(fstatSync(fd))
  try {
    const { format, rows } = JSON.parse(readFileSync(fd, 'utf8'))
    const same = wanted === undefined || JSON.stringify(format) === JSON.stringify(wanted)
    return same && isRows(rows) ? { format, rows: rows as Row<T>[], stamp } : { ...nothing, stamp }
  } catch {
    // The index is torn. It counts as empty.
    return { ...nothing, stamp }
  } finally {
    closeSync(fd)
  }
}

/** Undefined if the index is missing or cannot be read. */
function openIndex(path: string): number | undefined {
  try {
    return openRegular(path)
  } catch {
    return undefined
  }
}

function isRows(rows: unknown): boolean {
  return Array.isArray(rows) && rows.every((row) => Array.isArray(row))
}

export function stampOf(path: string): Stamp {
  try {
    return nameOf(statSync(path))
  } catch {
    // The file is missing, or this user may not read its folder.
    return undefined
  }
}

function nameOf({ ino, mtimeMs, ctimeMs, size }: Stats): string {
  return [ino, mtimeMs, ctimeMs, size].join()
}

/**
 * Writes the index that `make` returns. `make` returns undefined when another process has written a newer index
 * meanwhile; then nothing is written.
 */
function replaceIndex(local: string, path: string, make: () => object | undefined): void {
  try {
    ensureLocalFolder(local, dirname(path))
    withIndexLock(
      local,
      path,
      () => {
        const index = make()
        if (index !== undefined) writeFileAtomic(path, JSON.stringify(index), FILE)
      },
      PATIENCE_MS,
    )
  } catch (error) {
    // On a full disk or in a read-only folder there is no index, and the next scan is slower.
    if (!(error instanceof CortextError)) throw error
  }
}

function withIndexLock(local: string, path: string, work: () => void, patience?: number): void {
  withLockSync(local, basename(path), work, patience)
}
