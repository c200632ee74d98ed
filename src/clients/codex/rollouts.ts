import { closeSync, fstatSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { openRegular, statsOf } from '../../io/regular-file.ts'

/**
 * Finds the rollout files of a thread. This module is part of the hook bundle: it imports only node's modules and other
 * modules of the hook bundle.
 */

/** A rollout: `rollout-<time>-<thread>.jsonl`, or after a rewind `rollout-<time>-<thread>_<file>.jsonl`. */
export interface Rollout {
  path: string
  thread: string
  /** The id by which other files name this file. For the first file of a thread, it is the thread's id. */
  id: string
}

/** The bytes of a file from 0 to `to`. */
export interface Part {
  path: string
  to: number
}

interface Meta {
  id?: unknown
  cwd?: unknown
  forked_from_id?: unknown
  history_base?: { thread_id?: unknown; end_byte_offset?: unknown; end_ordinal_exclusive?: unknown }
}

/**
 * The parts of other files that come before a rollout, oldest first: files of other threads that the thread continues,
 * each up to where this one left it, and the thread's own earlier files, whole: what a rewind took back was said in it.
 *
 *     thread A   a.jsonl ──●── later talk of A
 *     thread B             └─ b.jsonl ── rewind ── b2.jsonl ── rewind ── b3.jsonl
 *     before b3:  [a.jsonl up to ●, b.jsonl, b2.jsonl]
 *
 * If the rollout continues no other file, the list is empty, and this reads only the rollout's first line. A missing
 * file is left out.
 */
export function partsBefore(transcript: string): Part[] {
  const meta = metaOf(transcript)
  if (typeof meta?.history_base?.thread_id !== 'string') return []
  const thread = String(meta.id)
  const [, , file] = NAME.exec(basename(transcript)) ?? []
  // The days of the thread's files are in its ids. A file that somebody has moved is looked for everywhere.
  const before =
    upTo(transcript, filesAround(transcript, thread, daysOf(file ?? thread).to)) ??
    upTo(transcript, filesOf(rolloutsAround(transcript), thread, transcript)) ??
    []
  const first = before[0]?.path ?? transcript
  return [
    ...inherited(first, thread, new Set([first])),
    ...before.map(({ path }) => ({ path, to: sizeOf(path) })),
  ]
}

/** The newest file of a thread, given any of its files. */
export function newestOf(transcript: string): string {
  const meta = metaOf(transcript)
  if (typeof meta?.id !== 'string') return transcript
  return filesAround(transcript, meta.id).at(-1)?.path ?? transcript
}

/** Finds the files of a thread. It searches the days since the thread began, up to the day `to`. */
function filesAround(transcript: string, thread: string, to?: string): Rollout[] {
  return filesOf(rolloutsAround(transcript, daysOf(thread).from, to), thread, transcript)
}

function upTo(transcript: string, files: readonly Rollout[]): Rollout[] | undefined {
  const index = files.findIndex(({ path }) => path === transcript)
  return index === -1 ? undefined : files.slice(0, index)
}

/**
 * The files of one thread, oldest first. If there are several copies of a file, the copy at the path `named` counts,
 * else the longest copy, because a file only grows.
 */
export function filesOf(all: readonly Rollout[], thread: string, named?: string): Rollout[] {
  const files = new Map<string, Rollout>()
  for (const rollout of all.filter((candidate) => candidate.thread === thread)) {
    const other = files.get(rollout.id)
    if (other === undefined || rollout.path === named || (other.path !== named && isLonger(rollout, other)))
      files.set(rollout.id, rollout)
  }
  const own = [...files.values()]
  const rank = ({ id }: Rollout) => (id === thread ? '' : id)
  // The ids begin with the time.
  return own.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

function isLonger(one: Rollout, other: Rollout): boolean {
  return sizeOf(one.path) > sizeOf(other.path)
}

/**
 * The files of other threads that a file continues, oldest first, each up to the end that the next file names. The
 * lines after that end are not part of the talk.
 */
function inherited(path: string, thread: string, seen: Set<string>): Part[] {
  const {
    thread_id: id,
    end_byte_offset: offset,
    end_ordinal_exclusive: ordinal,
  } = metaOf(path)?.history_base ?? {}
  const base = typeof id === 'string' ? baseOf(path, id) : undefined
  // `partsBefore` itself adds the whole files of the thread.
  if (base === undefined || base.thread === thread || seen.has(base.path)) return []
  seen.add(base.path)
  return [
    ...inherited(base.path, thread, seen),
    { path: base.path, to: endIn(base.path, Number(offset), Number(ordinal)) },
  ]
}

/**
 * Finds the file with an id, or its longest copy. It searches the folders around the day on which the file began, then
 * all folders, because the file may have been moved.
 */
function baseOf(path: string, id: string): Rollout | undefined {
  const { from, to } = daysOf(id)
  const longest = (all: readonly Rollout[]) =>
    all
      .filter((rollout) => rollout.id === id && rollout.path !== path)
      .reduce<Rollout | undefined>(
        (best, rollout) => (best === undefined || isLonger(rollout, best) ? rollout : best),
        undefined,
      )
  return longest(rolloutsAround(path, from, to)) ?? longest(rolloutsAround(path))
}

/**
 * The byte offset in a file at which the talk goes over to the file that continues it. This is `offset`. If no line
 * ends there, it is the beginning of the line with the ordinal.
 */
function endIn(path: string, offset: number, ordinal: number): number {
  const size = sizeOf(path)
  if (offset > 0 && offset <= size && readAt(path, offset - 1, 1)[0] === LINE_BREAK) return offset
  let position = 0
  for (const line of readAt(path, 0, size).toString('latin1').split('\n')) {
    const own = /"ordinal":\s*(\d+)/.exec(line.slice(0, 200))?.[1]
    if (own !== undefined && Number(own) >= ordinal) return position
    position += line.length + 1
  }
  return size
}

/**
 * All rollouts in the Codex home that contains a file, from the day `from` to the day `to` (see `daysOf`). Archived
 * rollouts count too. If the file is in no Codex home but in the folder of a day, this returns the rollouts of all
 * days. For any other file, it returns the rollouts next to the file.
 */
export function rolloutsAround(transcript: string, from?: string, to?: string): Rollout[] {
  const home = homeOf(transcript)
  if (home !== undefined) return STORES.flatMap((store) => rolloutsIn(join(home, store), from, to))
  const day = /^(.*)[\\/]\d{4}[\\/]\d\d[\\/]\d\d$/.exec(dirname(transcript))
  return day === null ? rolloutsDirectlyIn(dirname(transcript)) : rolloutsIn(day[1]!)
}

/**
 * The day before and the day after the rollout or thread began, from its id. A UUID of version 7 begins with the time
 * in UTC, but folders are named after the local day. Returns {} (all days) for any other id.
 */
export function daysOf(id: string): { from?: string; to?: string } {
  if (!/^[\da-f]{8}-[\da-f]{4}-7/.test(id)) return {}
  const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  const day = (days: number) =>
    new Date(time + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/')
  return { from: day(-1), to: day(1) }
}

export const STORES = ['sessions', 'archived_sessions'] as const

function homeOf(path: string): string | undefined {
  const folders = path.split(sep)
  const index = folders.findLastIndex((name) => (STORES as readonly string[]).includes(name))
  return index === -1 ? undefined : folders.slice(0, index).join(sep)
}

/**
 * The rollouts below a folder, recognised by their names. In folders of days, only the days from `from` to `to` are
 * searched.
 */
export function rolloutsIn(folder: string, from?: string, to?: string): Rollout[] {
  return namesIn(folder, from, to).flatMap((name) => rolloutOf(folder, name) ?? [])
}

/** The rollouts directly in a folder. A file with another name is recognised by its first line. */
function rolloutsDirectlyIn(folder: string): Rollout[] {
  return entriesOf(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      const byName = rolloutOf(folder, name)
      if (byName !== undefined) return [byName]
      const path = join(folder, name)
      const meta = metaOf(path)
      if (typeof meta?.id !== 'string') return []
      const isFirst = meta.history_base === undefined || typeof meta.forked_from_id === 'string'
      return [{ path, thread: meta.id, id: isFirst ? meta.id : name }]
    })
}

function rolloutOf(folder: string, name: string): Rollout | undefined {
  const [, thread, file] = NAME.exec(basename(name)) ?? []
  return thread === undefined ? undefined : { path: join(folder, name), thread, id: file ?? thread }
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const NAME = new RegExp(`^rollout-.*?-(${UUID})(?:_(${UUID}))?\\.jsonl$`)

/** The `.jsonl` files below a folder, each with up to three folders in its path: year, month, day. */
function namesIn(folder: string, from = '', to = '~', above = '', depth = 3): string[] {
  return entriesOf(join(folder, above)).flatMap((entry) => {
    const name = above + entry
    if (entry.endsWith('.jsonl')) return [name]
    if (depth === 0 || name < from.slice(0, name.length) || name > to.slice(0, name.length)) return []
    return namesIn(folder, from, to, `${name}/`, depth - 1)
  })
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is not there or cannot be read.
    return []
  }
}

/** The metadata in the first line of a rollout. Undefined for any other file. */
export function metaOf(path: string): Meta | undefined {
  for (let length = 64 * 1024; ; length *= 8) {
    const bytes = readAt(path, 0, length)
    const end = bytes.indexOf(LINE_BREAK)
    if (end === -1 && bytes.length === length && length < MAX_FIRST_LINE) continue
    try {
      const { type, payload } = JSON.parse(bytes.subarray(0, end === -1 ? undefined : end).toString('utf8'))
      return type === 'session_meta' ? payload : undefined
    } catch {
      // The line is only half written, or damaged.
      return undefined
    }
  }
}

const LINE_BREAK = 10
const MAX_FIRST_LINE = 16 * 1024 * 1024

function sizeOf(path: string): number {
  return statsOf(path)?.size ?? 0
}

/** Reads `length` bytes of a file at an offset, or fewer if the file ends earlier. */
export function readAt(path: string, offset: number, length: number): Buffer {
  let file: number | undefined
  try {
    file = openRegular(path)
    if (file === undefined) return Buffer.alloc(0)
    const buffer = Buffer.alloc(Math.min(length, Math.max(0, fstatSync(file).size - offset)))
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, offset))
  } catch {
    // A file that is gone or unreadable gives no bytes.
    return Buffer.alloc(0)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
