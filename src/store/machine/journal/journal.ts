import { basename } from 'node:path'
import { readAndClose } from '../../../io/file-error.ts'
import { openRegular, readLines } from '../../../io/regular-file.ts'
import { continuesCopy, copyRange, openSource, type Part, readAt, type Source, sizeOf } from './copy-bytes.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

export interface Copying {
  transcript: string
  /** Parts of other files that come before the transcript: some clients keep a session in several files. */
  before?: readonly Part[]
  /** The path of the first generation; its folder must exist. */
  journal: string
}

export interface JournalCopy {
  /** The file name of the generation that now contains the transcript: the `journal` of a segment. */
  generation: string
  /** The size of the generation in bytes. */
  size: number
  /** Bytes copied by this call. */
  copied: number
  /** The client had rewritten the transcript, so a new generation was begun. */
  restarted: boolean
}

/**
 * Copies the new bytes of a transcript to the same offsets of its journal, and fsyncs them. Two processes at once write
 * the same bytes to the same places, so they need no lock. Memory does not grow with the file.
 *
 * The client has rewritten its transcript if it is shorter than the journal, or has other bytes where the journal ends.
 * Then the present generation stays as it is, and a new one begins: `<id>.jsonl`, `<id>~1.jsonl`, `<id>~2.jsonl`, … So
 * an offset always belongs to one file. If the transcript is missing, empty or not a regular file, nothing is copied.
 * Throws `disk-full`, `unwritable`, `unreadable` or `unsafe-path`.
 */
export function copyNewBytes({ transcript, before, journal }: Copying): JournalCopy {
  const generations = listGenerations(journal)
  const current = generations.at(-1) ?? { name: basename(journal), size: 0 }
  const unchanged = { generation: current.name, size: current.size, copied: 0, restarted: false }
  const source = openSource(transcript, before)
  if (source === undefined) return unchanged
  try {
    const next = nextCopy(source, journal, generations)
    if (next === undefined) return unchanged
    const { path, from, end, restarted } = next
    const size = copyRange(source, path, from, end)
    return { generation: basename(path), size, copied: size - from, restarted }
  } finally {
    source.close()
  }
}

/** What to copy next: the bytes `from`..`end` of the transcript, to the same offsets of the file `path`. */
export interface NextCopy {
  path: string
  from: number
  end: number
  restarted: boolean
}

/** What to copy next from an open transcript into its journal; undefined when nothing is new. */
export function nextCopy(
  source: Source,
  journal: string,
  generations: readonly Generation[],
): NextCopy | undefined {
  const current = generations.at(-1) ?? { path: journal, size: 0 }
  const end = source.size
  // A client that rewrites its transcript may just have emptied it. The next hook finds the new content.
  if (end === 0) return undefined
  const restarted = current.size > 0 && !continuesCopy(source, current.path, current.size)
  if (restarted) return { path: generationPath(journal, generations.length), from: 0, end, restarted }
  return end === current.size ? undefined : { path: current.path, from: current.size, end, restarted }
}

export interface Generation {
  name: string
  path: string
  size: number
}

/** The generations of a journal, oldest first. Only the last one still grows. */
export function listGenerations(journal: string): Generation[] {
  const generations: Generation[] = []
  while (true) {
    const path = generationPath(journal, generations.length)
    const size = sizeOf(path)
    if (size === undefined) return generations
    generations.push({ name: basename(path), path, size })
  }
}

/**
 * The bytes of one generation from an offset on, to `to` or the end; none when it does not exist. Lines that are too
 * long to be read are zeros (`readLines`).
 */
export function readJournal(path: string, from = 0, to = Number.POSITIVE_INFINITY): Uint8Array {
  return readJournalPart(path, from, Math.min(to, sizeOf(path) ?? 0))
}

/** The bytes `from`..`to` of a generation; fewer when its file is shorter or does not exist. See `readJournal`. */
export function readJournalPart(path: string, from: number, to: number): Uint8Array {
  const fd = openRegular(path)
  if (fd === undefined) return new Uint8Array()
  return readAndClose(fd, path, () => readLines((offset, length) => readAt(fd, offset, length), from, to))
}

function generationPath(journal: string, number: number): string {
  return number === 0 ? journal : journal.replace(/\.jsonl$/, `~${number}.jsonl`)
}
