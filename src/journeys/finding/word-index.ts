import { join } from 'node:path'
import { CortextError } from '../../errors.ts'
import type { Query } from '../../search/query.ts'
import type { Reading } from '../../search/reader.ts'
import { eachWord, WordLists } from '../../search/word-lists.ts'
import {
  changeIndex,
  type IndexedFile,
  type IndexedLine,
  isStill,
  type NewVolume,
  type OpenVolume,
  openVolumes,
  sizeIfStill,
  stampOfFile,
  stateOf,
  type Volume,
} from '../../store/machine/indexes/word-index.ts'
import { eachLine, type LinePlace } from '../../store/record/matching-lines.ts'
import { CUT, flatContentIn, hasWholes, isOutput } from './record-line.ts'

/**
 * By an index of words, a search need not read most lines: those without a word of the query, and those of which the
 * index has all that counts. It finds the same as without: a file that is not in the index, or has changed since, is
 * read as a whole, and of the others each line in which a phrase may stand, or of which the content is not all.
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

/** What the index knows of a file, for a query. */
export interface KnownFile extends IndexedFile {
  /** The lines that may count, in order. */
  asked: KnownLine[]
  /** A search has found it to be another one now. */
  changed?: true
}

export interface KnownLine extends LinePlace {
  /** How often the line has each term, each form by its certainty. Undefined: the line has to be read. */
  counts?: number[]
  length: number
  isOutput: boolean
}

/**
 * What the indexes of these workspaces know of each file, by its path, for a query. `reads`: every line has to be read,
 * because it may be filtered.
 */
export function knownFiles(
  sources: readonly Searched[],
  query: Query,
  reads: boolean,
): Map<string, KnownFile> {
  const known = new Map<string, KnownFile>()
  // A query without words may match signs.
  if (query.literal !== undefined) return known
  const wanted = new Set(sources.flatMap(({ folder, files }) => files.map((file) => join(folder, file))))
  const isCounted = !reads && query.days === undefined && !query.terms.some(({ unspaced }) => unspaced)
  for (const local of new Set(sources.map((source) => source.local)))
    for (const volume of openVolumes(local)) {
      const asked = askedIn(volume, query, isCounted)
      let first = 0
      for (const file of volume.files) {
        const other = known.get(file.path)
        // An older volume may have an earlier state of the file.
        if (wanted.has(file.path) && (other === undefined || other.stamp[1] < file.stamp[1]))
          known.set(file.path, { ...file, asked: linesOf(volume, asked, first, file.lines) })
        first += file.lines
      }
    }
  return known
}

/** For each line of a volume: nothing, the place of its counts in `counts` plus one, or `READ`. */
interface Asked {
  rows: Int32Array
  counts: number[]
  width: number
}

const READ = -1

function askedIn({ files, lists, lineAt }: OpenVolume, query: Query, isCounted: boolean): Asked {
  const rows = new Int32Array(sum(files.map(({ lines }) => lines)))
  const counts: number[] = []
  const width = query.terms.length
  const own = new RegExp(query.inJson.source, 'i')
  eachWord(lists, isCounted ? query.pattern : query.inJson, (word, eachLine) => {
    const meanings = isCounted ? query.meaningOf(word) : []
    const isOwn = word === '' || own.test(word)
    if (!isOwn && meanings.length === 0) return
    eachLine((line, often) => {
      if (!isCounted || word === '' || !isFlat(lineAt(line))) {
        if (isOwn) rows[line] = READ
        return
      }
      if (rows[line] === READ || meanings.length === 0) return
      if (rows[line] === 0) {
        rows[line] = counts.length + 1
        for (let term = 0; term < width; term += 1) counts.push(0)
      }
      for (const { term, weight } of meanings) counts[rows[line]! - 1 + term]! += often * weight
    })
  })
  return { rows, counts, width }
}

function linesOf({ lineAt }: OpenVolume, asked: Asked, first: number, count: number): KnownLine[] {
  const lines: KnownLine[] = []
  for (let number = 0; number < count; number += 1) {
    const row = asked.rows[first + number]!
    if (row === 0) continue
    const line = lineAt(first + number)
    lines.push({
      number,
      from: number === 0 ? 0 : lineAt(first + number - 1).end + 1,
      to: line.end,
      ...lengthOf(line),
      ...(row !== READ && { counts: asked.counts.slice(row - 1, row - 1 + asked.width) }),
    })
  }
  return lines
}

/*
 * What is noted about a line: whether all that is searched in it is its content; whether it is the output of a tool; and
 * the length of its content.
 */
const FLAT = 2 ** 30
const OUTPUT = 2 ** 29

function aboutOf(line: string, content: Required<Reading> | undefined): number {
  return content === undefined
    ? 0
    : FLAT + (isOutput(line) ? OUTPUT : 0) + Math.min(content.to - content.from, OUTPUT - 1)
}

function isFlat({ about }: IndexedLine): boolean {
  return about >= FLAT
}

function lengthOf({ about }: IndexedLine): Pick<KnownLine, 'length' | 'isOutput'> {
  return { length: about % OUTPUT, isOutput: about % FLAT >= OUTPUT }
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
    const own = sources.filter((source) => source.local === local)
    const isMissing = (path: string) => known.get(path)?.changed ?? !known.has(path)
    if (sum(filesOf(own, isMissing).map(({ size }) => size)) >= min) extend(local, filesOf(own), max)
  }
}

function extend(local: string, files: readonly FileToIndex[], max: number): void {
  changeIndex(local, (volumes) => {
    const [stale, kept] = split(volumes)
    const known = new Set(kept.flatMap(({ files }) => files.map(({ path }) => path)))
    const paths = new Set(files.map(({ path }) => path))
    const small = kept.filter(
      (one) => bytesOf(one.files) < max / 2 && one.files.every(({ path }) => paths.has(path)),
    )
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

function filesOf(sources: readonly Searched[], isMeant = (_: string) => true): FileToIndex[] {
  return sources.flatMap(({ folder, files }) =>
    files.flatMap((file) => {
      const path = join(folder, file)
      const size = isMeant(path) ? sizeIfStill(path) : undefined
      return size === undefined ? [] : [{ folder, file, path, size }]
    }),
  )
}

function volumeOf(files: readonly FileToIndex[], max: number): NewVolume | undefined {
  const lists = new WordLists()
  const indexed: IndexedFile[] = []
  const lines: IndexedLine[] = []
  let bytes = 0
  for (const { folder, file, path } of files) {
    if (bytes >= max) break
    const first = lines.length
    try {
      const wholes = hasWholes(folder)
      const stats = eachLine(folder, file, isStill, (line, { to }) => {
        const content = flatContentIn(line)
        lists.add(content === undefined ? line : line.slice(content.from, content.to), lines.length)
        if (wholes && line.includes(CUT)) lists.mark(lines.length)
        lines.push({ end: to, about: aboutOf(line, content) })
      })
      if (stats === undefined) continue
      indexed.push({ path, stamp: stampOfFile(stats), lines: lines.length - first, wholes })
      bytes += stats.size
    } catch (error) {
      // The words of lines that were read before an error are in the lists already.
      if (!(error instanceof CortextError) || lines.length > first) throw error
    }
  }
  return indexed.length === 0 ? undefined : { files: indexed, lines, lists: lists.toBytes() }
}

function bytesOf(files: readonly IndexedFile[]): number {
  return sum(files.map(({ stamp }) => stamp[2]))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
