import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { CortextError, withDefault } from '../../../errors.ts'
import { crypto } from '../../../hash.ts'
import { writeFileAtomic } from '../../../io/atomic-write.ts'
import { listAllNames } from '../../../io/list-names.ts'
import { readRegular, statsOf } from '../../../io/regular-file.ts'
import { removePath } from '../../../io/remove.ts'
import { withSlashes } from '../../../io/slashes.ts'
import { parseJson } from '../../../text/json.ts'
import { ensureLocalFolder, localFiles } from '../../layout.ts'
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

/** A volume as it is read. */
export interface OpenVolume {
  files: IndexedFile[]
  /** The words and their lines (search/word-lists.ts). */
  lists: Buffer
  /** What is noted of a line of the volume, and where it is in its file. */
  lineAt: (line: number) => IndexedLine
}

/** A line of a file that was indexed. */
export interface IndexedLine {
  /** Its end in its file, in bytes. It begins after the line break of the line before. */
  end: number
  /** A number of 31 bits about it, from whoever has made the index. */
  about: number
}

export interface Volume {
  name: string
  files: IndexedFile[]
}

export interface NewVolume extends Pick<OpenVolume, 'lists'> {
  files: readonly IndexedFile[]
  lines: readonly IndexedLine[]
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

/** Whether a file has not changed for so long that a later change is seen in its stats. */
export function isStill({ mtimeMs, ctimeMs }: Stats): boolean {
  return Date.now() - Math.max(mtimeMs, ctimeMs) > STILL_MS
}

/** The size of a file that is still; undefined for another one, or if this user cannot get to it. */
export function sizeIfStill(path: string): number | undefined {
  const stats = statsOf(path)
  return stats?.isFile() && isStill(stats) ? stats.size : undefined
}

/** Whether a file that was indexed is there, and whether it is as it was. */
export function stateOf(file: IndexedFile): 'same' | 'changed' | 'gone' {
  try {
    return hasStamp(file, lstatSync(file.path)) ? 'same' : 'changed'
  } catch {
    return 'gone'
  }
}

/** The volumes of a workspace, one after another. */
export function* openVolumes(local: string): Generator<OpenVolume> {
  for (const name of namesOf(local)) {
    const volume = readVolume(join(localFiles(local).words, name))
    if (volume !== undefined) yield volume
  }
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
        files.every((file) => !withSlashes(file.path).includes(`/${path}/`) && stateOf(file) === 'same'),
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
 * A volume: the checksum of the rest and the length of the head (4 bytes each), the head as JSON, what is noted of the
 * lines (8 bytes each), the lists.
 */

const PREFIX = 8
const NOTED = 8

function bytesOf({ files, lines, lists }: NewVolume): Buffer[] {
  const head = Buffer.from(JSON.stringify({ format: formatOf([bytesOf]), files }))
  const noted = Buffer.from(Uint32Array.from(lines.flatMap(({ end, about }) => [end, about])).buffer)
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32LE(head.length, 4)
  const sum = [prefix.subarray(4), head, noted, lists].reduce((before, part) => crc32(part, before), 0)
  prefix.writeUInt32LE(sum)
  return [prefix, head, noted, lists]
}

/** Undefined if a volume is damaged, of another version, or gone. */
function readVolume(path: string): OpenVolume | undefined {
  const bytes = withDefault(undefined, () => readRegular(path))
  if (bytes === undefined || bytes.length < PREFIX || crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0))
    return undefined
  const end = PREFIX + bytes.readUInt32LE(4)
  const files = filesIn(bytes.subarray(PREFIX, end))
  if (files === undefined) return undefined
  const lists = end + NOTED * files.reduce((sum, file) => sum + file.lines, 0)
  if (!(lists <= bytes.length)) return undefined
  const lineAt = (line: number) => ({
    end: bytes.readUInt32LE(end + NOTED * line),
    about: bytes.readUInt32LE(end + NOTED * line + 4),
  })
  return { files, lineAt, lists: bytes.subarray(lists) }
}

/** The files that a head names; undefined if it is of another version. */
function filesIn(head: Buffer): IndexedFile[] | undefined {
  const { format, files } = Object(parseJson(head.toString())) as { format: string[]; files: IndexedFile[] }
  return JSON.stringify(format) === JSON.stringify(formatOf([bytesOf])) ? files : undefined
}
