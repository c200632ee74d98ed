import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { CortextError, withDefault } from '../../../errors.ts'
import { crypto } from '../../../hash.ts'
import { writeFileAtomic } from '../../../io/atomic-write.ts'
import { listAllNames } from '../../../io/list-names.ts'
import { readRegular } from '../../../io/regular-file.ts'
import { removePath } from '../../../io/remove.ts'
import { ensureLocalFolder, localFiles } from '../../layout.ts'
import type { LinePlace } from '../../record/matching-lines.ts'
import { withLockSync } from '../locks/lock.ts'
import { formatOf } from './file-index.ts'

/**
 * The index of what was said on this machine: volumes, each with the words of some files of records, that never change.
 * It may be deleted at any time. A volume counts only if each of its bytes is as it was written, and a file in it only
 * if the file is unchanged.
 */
export interface IndexedFile {
  /** Absolute. */
  path: string
  /** The modification time, change time, size and inode that the file had. */
  stamp: readonly [mtimeMs: number, ctimeMs: number, size: number, ino: number]
  /** Number of its lines. Within a volume, lines are numbered on from file to file. */
  lines: number
  /** Whether the texts of cut results beside the file are searched for it. */
  wholes: boolean
}

/** What the index knows of a file. */
export interface KnownFile extends IndexedFile {
  /** The lines that were asked for. */
  places: LinePlace[]
}

export interface Volume {
  name: string
  files: IndexedFile[]
}

export interface NewVolume {
  files: readonly IndexedFile[]
  /** The end of each line in its file, in bytes. */
  ends: readonly number[]
  /** The words and their lines (search/word-lists.ts). */
  lists: Buffer
}

const ENDING = '.words'
const LOCK = 'word-index'
const FILE = { mode: 0o600, refuseSymlink: true, durable: false }
/** Two writes shortly after each other may leave the same times. */
const STILL_MS = 2000

export function stampOfFile({ mtimeMs, ctimeMs, size, ino }: Stats): IndexedFile['stamp'] {
  return [mtimeMs, ctimeMs, size, ino]
}

export function hasStamp({ stamp }: IndexedFile, stats: Stats): boolean {
  return stampOfFile(stats).every((one, index) => one === stamp[index])
}

/** The size of a file that has not changed for so long that a later change is seen in its stats; else undefined. */
export function sizeIfStill(path: string): number | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() && Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) > STILL_MS
    ? stats.size
    : undefined
}

/** Whether a file that was indexed is there, and whether it is as it was. */
export function stateOf(file: IndexedFile): 'same' | 'changed' | 'gone' {
  try {
    return hasStamp(file, lstatSync(file.path)) ? 'same' : 'changed'
  } catch {
    return 'gone'
  }
}

/**
 * Asks every volume for lines: `mark` sets those that it wants in `lines`, by the words of a volume. Returns what is
 * known of each file, by its path. Files that have changed since are among them.
 */
export function lookUp(
  local: string,
  mark: (lists: Buffer, lines: Uint8Array) => void,
): Map<string, KnownFile> {
  const known = new Map<string, KnownFile>()
  for (const name of namesOf(local)) {
    const volume = readVolume(join(localFiles(local).words, name))
    if (volume === undefined) continue
    const { files, ends, lists } = volume
    const lines = new Uint8Array(files.reduce((sum, file) => sum + file.lines, 0))
    mark(lists, lines)
    let first = 0
    for (const file of files) {
      const places: LinePlace[] = []
      const other = known.get(file.path)
      for (let number = 0; number < file.lines; number += 1)
        if (lines[first + number] === 1)
          places.push({
            number,
            from: number === 0 ? 0 : ends.readUInt32LE(4 * (first + number - 1)) + 1,
            to: ends.readUInt32LE(4 * (first + number)),
          })
      // An older volume may have an earlier state of the file.
      if (other === undefined || other.stamp[1] < file.stamp[1]) known.set(file.path, { ...file, places })
      first += file.lines
    }
  }
  return known
}

/**
 * Changes the index: `change` gets the volumes, and returns those to remove and one to add. Only one process does so at
 * a time; if another one does, nothing happens. Nothing happens either if this user may not write.
 */
export function changeIndex(
  local: string,
  change: (volumes: Volume[]) => { add?: NewVolume | undefined; remove: readonly string[] },
  patience = 0,
): void {
  try {
    withLockSync(
      local,
      LOCK,
      () => {
        const { words } = localFiles(local)
        const { add, remove } = change(volumesOf(local))
        if (add !== undefined) {
          ensureLocalFolder(local, words)
          writeFileAtomic(join(words, `${crypto().randomUUID()}${ENDING}`), bytesOf(add), FILE)
        }
        for (const name of remove) removePath(join(words, name))
      },
      patience,
    )
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
  }
}

/**
 * Removes every volume with words of a file of the conversation in `path`, or of a file that is not as it was: it may
 * have been one under another name. Also removes what killed writes have left. Throws `locked` and `unwritable`.
 */
export function forgetWords(local: string, path: string): void {
  const { words } = localFiles(local)
  if (listAllNames(words, '').length === 0) return
  withLockSync(local, LOCK, () => {
    const kept = volumesOf(local).filter(
      ({ files }) =>
        files.length > 0 &&
        files.every((file) => !file.path.includes(`/${path}/`) && stateOf(file) === 'same'),
    )
    const names = new Set(kept.map(({ name }) => name))
    for (const name of listAllNames(words, '')) if (!names.has(name)) removePath(join(words, name))
  })
}

/** A damaged volume has no files. */
function volumesOf(local: string): Volume[] {
  const { words } = localFiles(local)
  return namesOf(local).map((name) => ({ name, files: readVolume(join(words, name))?.files ?? [] }))
}

function namesOf(local: string): string[] {
  return listAllNames(localFiles(local).words, ENDING).filter((name) => !name.startsWith('.'))
}

/*
 * A volume: the checksum of the rest and the length of the head (4 bytes each), the head as JSON, the ends of the
 * lines (4 bytes each), the lists.
 */

const PREFIX = 8

function bytesOf({ files, ends, lists }: NewVolume): Buffer[] {
  const head = Buffer.from(JSON.stringify({ format: formatOf([bytesOf]), files }))
  const places = Buffer.from(Uint32Array.from(ends).buffer)
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32LE(head.length, 4)
  const sum = [prefix.subarray(4), head, places, lists].reduce((before, part) => crc32(part, before), 0)
  prefix.writeUInt32LE(sum)
  return [prefix, head, places, lists]
}

/** Undefined if a volume is damaged, of another version, or gone. */
function readVolume(path: string): { files: IndexedFile[]; ends: Buffer; lists: Buffer } | undefined {
  const bytes = withDefault(undefined, () => readRegular(path))
  if (bytes === undefined || bytes.length < PREFIX || crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0))
    return undefined
  const end = PREFIX + bytes.readUInt32LE(4)
  const files = filesIn(bytes.subarray(PREFIX, end))
  const lists = end + 4 * files.reduce((sum, file) => sum + file.lines, 0)
  if (!(lists <= bytes.length)) return undefined
  return { files, ends: bytes.subarray(end, lists), lists: bytes.subarray(lists) }
}

/** The files that a head names; none if it is of another version. */
function filesIn(head: Buffer): IndexedFile[] {
  const { format, files } = JSON.parse(head.toString()) as { format: string[]; files: IndexedFile[] }
  return JSON.stringify(format) === JSON.stringify(formatOf([bytesOf])) ? files : []
}
