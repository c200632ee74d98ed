import { basename, dirname, join } from 'node:path'
import { readLines } from '../../../io/regular-file.ts'
import { openSource } from './copy-bytes.ts'
import { type Copying, type Generation, listGenerations, nextCopy, readJournal } from './journal.ts'

/** A journal as it would be if `copyNewBytes` ran now. */
export interface CurrentJournal {
  /** Oldest first. Only the last one still grows. */
  generations: Generation[]
  /**
   * Returns the bytes of a generation (by its file name) from an offset on, to `to` or the end; no bytes when it does
   * not exist.
   */
  read(generation: string, offset?: number, to?: number): Uint8Array
}

/**
 * Reads a journal and the bytes of its transcript that are not copied yet, and writes nothing. So a command that only
 * looks sees the same as a command that calls `copyNewBytes` first. Without a transcript, only the journal is read.
 * Throws `unreadable` or `unsafe-path`.
 */
export function readCurrentJournal({
  transcript,
  before,
  journal,
}: Omit<Copying, 'transcript'> & { transcript: string | undefined }): CurrentJournal {
  const folder = dirname(journal)
  const generations = listGenerations(journal)
  const next =
    transcript === undefined
      ? undefined
      : newBytes({ transcript, journal, ...(before && { before }) }, generations)
  if (next === undefined)
    return { generations, read: (name, offset, to) => readJournal(join(folder, name), offset, to) }
  const { path, from, bytes } = next
  const newest = { name: basename(path), path, size: from + bytes.length }
  return {
    generations: [...generations.filter(({ name }) => name !== newest.name), newest],
    read(name, offset = 0, to = Number.POSITIVE_INFINITY) {
      const copied = readJournal(join(folder, name), offset, to)
      if (name !== newest.name) return copied
      const parts = [
        copied.subarray(0, Math.max(0, from - offset)),
        bytes.subarray(Math.max(0, offset - from), Math.max(0, to - from)),
      ].filter(({ length }) => length > 0)
      // A copy of the zeros in place of a long line would take memory.
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    },
  }
}

function newBytes({ transcript, before, journal }: Copying, generations: readonly Generation[]) {
  const source = openSource(transcript, before)
  if (source === undefined) return undefined
  try {
    const next = nextCopy(source, journal, generations)
    return next && { ...next, bytes: readLines(source.read, next.from, next.end) }
  } finally {
    source.close()
  }
}
