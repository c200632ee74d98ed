import { join } from 'node:path'
import { withDefault } from '../../errors.ts'
import type { Query } from '../../search/query.ts'
import { linesWith, WordLists } from '../../search/word-lists.ts'
import {
  changeIndex,
  type IndexedFile,
  type KnownFile,
  lookUp,
  type NewVolume,
  sizeIfStill,
  stampOfFile,
  stateOf,
  type Volume,
} from '../../store/machine/indexes/word-index.ts'
import { eachLine } from '../../store/record/matching-lines.ts'
import { CUT, hasWholes, wordsIn } from './count-record.ts'

/**
 * A search reads only the lines that contain a word of the query, by an index of words. It finds the same as without: a
 * file that is not in the index, or has changed since, is read as a whole, and of the others every line that may count
 * is read and counted as ever.
 */

/** Less than this is read in less time than an index takes. */
const MIN_BYTES = 8 * 1024 * 1024
/** About as much as one search puts into the index, so that it takes seconds at most. */
const VOLUME_BYTES = 32 * 1024 * 1024
/** From so many volumes on that are less than half full, they are made anew as one. */
const MAX_SMALL = 4

/** The files of a conversation that are searched. */
interface Searched {
  /** The local folder of its workspace. */
  local: string
  folder: string
  files: readonly string[]
}

/** What the indexes of these workspaces know of each file, by its path, for a query. */
export function knownFiles(sources: readonly Searched[], query: Query): Map<string, KnownFile> {
  // A query without words may match signs.
  if (query.literal !== undefined) return new Map()
  const mark = (lists: Buffer, lines: Uint8Array) => linesWith(lists, query.inJson, lines, { marked: true })
  return new Map([...new Set(sources.map(({ local }) => local))].flatMap((local) => [...lookUp(local, mark)]))
}

/**
 * Puts what these conversations have and the indexes of their workspaces lack into the indexes, up to about `max` bytes
 * for each workspace. `known` is what a search has just found in the indexes: a workspace that lacks less than `min`
 * bytes gets nothing. If a file cannot be written, nothing changes.
 */
export function extendIndexes(
  sources: readonly Searched[],
  known: ReadonlyMap<string, KnownFile>,
  { min = MIN_BYTES, max = VOLUME_BYTES } = {},
): void {
  for (const local of new Set(sources.map((source) => source.local))) {
    const files = filesOf(sources.filter((source) => source.local === local))
    const missing = files.filter(({ path }) => {
      const found = known.get(path)
      return found === undefined || stateOf(found) !== 'same'
    })
    if (sum(missing.map(({ size }) => size)) >= min) extend(local, files, max)
  }
}

function extend(local: string, files: readonly FileToIndex[], max: number): void {
  changeIndex(local, (volumes) => {
    const [stale, kept] = split(volumes)
    const known = new Set(kept.flatMap(({ files }) => files.map(({ path }) => path)))
    const small = kept.filter(({ files }) => bytesOf(files) < max / 2)
    const joined = small.length < MAX_SMALL ? [] : small
    const again = new Set(joined.flatMap((one) => one.files.map(({ path }) => path)))
    const add = volumeOf(
      files.filter(({ path }) => again.has(path) || !known.has(path)),
      max + sum(joined.map((one) => bytesOf(one.files))),
    )
    return { add, remove: [...stale, ...joined.map(({ name }) => name)] }
  })
}

/** The names of volumes to remove, because a file is gone or half of what they have is not as it was; and the others. */
function split(volumes: readonly Volume[]): [stale: string[], kept: Volume[]] {
  const kept = volumes
    .map(({ name, files }) => ({ name, files, same: files.filter((file) => stateOf(file) === 'same') }))
    .filter(
      ({ files, same }) =>
        same.length > 0 &&
        bytesOf(same) > bytesOf(files) / 2 &&
        files.every((file) => same.includes(file) || stateOf(file) !== 'gone'),
    )
    .map(({ name, same }) => ({ name, files: same }))
  const names = new Set(kept.map(({ name }) => name))
  return [volumes.flatMap(({ name }) => (names.has(name) ? [] : name)), kept]
}

interface FileToIndex {
  folder: string
  file: string
  path: string
  size: number
}

function filesOf(sources: readonly Searched[]): FileToIndex[] {
  return sources.flatMap(({ folder, files }) =>
    files.flatMap((file) => {
      const path = join(folder, file)
      const size = sizeIfStill(path)
      return size === undefined ? [] : [{ folder, file, path, size }]
    }),
  )
}

function volumeOf(files: readonly FileToIndex[], max: number): NewVolume | undefined {
  const lists = new WordLists()
  const indexed: IndexedFile[] = []
  const ends: number[] = []
  let bytes = 0
  for (const { folder, file, path } of files) {
    if (bytes >= max) break
    const first = ends.length
    const wholes = hasWholes(folder)
    const stats = withDefault(undefined, () =>
      eachLine(folder, file, (line, { to }) => {
        lists.add(wordsIn(line), ends.length)
        if (wholes && line.includes(CUT)) lists.mark(ends.length)
        ends.push(to)
      }),
    )
    if (stats === undefined) {
      // What could not be read to its end has no file, and nobody asks for its lines.
      ends.length = first
      continue
    }
    indexed.push({ path, stamp: stampOfFile(stats), lines: ends.length - first, wholes })
    bytes += stats.size
  }
  return indexed.length === 0 ? undefined : { files: indexed, ends, lists: lists.toBytes() }
}

function bytesOf(files: readonly IndexedFile[]): number {
  return sum(files.map(({ stamp }) => stamp[2]))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
