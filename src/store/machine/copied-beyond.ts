import { closeSync } from 'node:fs'
import { openInside, statInside } from '../../io/inside.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'
import { type RecordRead, readPruned, readRecord } from '../record/index.ts'
import { copyFolder } from './copies.ts'
import { readAt } from './journal/copy-bytes.ts'

/**
 * What this machine's copy of a record contains beyond the record in the work tree. Git may put an older version of the
 * record there, or take it away: a branch is changed, reset or deleted. No journal has the talk of an agent loop or the
 * beginning of a fork, so readers take these lines from the copy, and the next publishing appends them again.
 *
 * `lines` may have lines that the copy has as pruned, for a branch that does not know the prune; `pruned` are those of
 * the record and, by the events of the record, those of the copy: publishing leaves them out. Throws `unreadable` or
 * `unsafe-path`.
 */
export function copiedBeyond(
  local: string,
  path: string,
  folder: string,
  record: RecordRead,
): { lines: readonly Message[]; pruned: RecordRead['pruned'] } {
  const { pruned } = record
  if (!differsFromCopy(local, path, folder)) return { lines: [], pruned }
  const copied = copyFolder(local, path)
  const copy = readRecord(copied)
  if (record.all.length === 0) return { lines: copy.lines, pruned: copy.pruned }
  const present = new Set(record.all.map(({ id }) => id))
  const all = [...copy.pruned.values(), ...copy.lines]
  return {
    lines: all.filter(({ id, event }) => event !== 'pruned' && !present.has(id)),
    pruned: new Map([...readPruned(copied, record.all), ...pruned]),
  }
}

/** Whether this machine has a copy of a record and its messages.jsonl has other bytes than that of the work tree. */
export function differsFromCopy(local: string, path: string, folder: string): boolean {
  const copied = copyFolder(local, path)
  const there = statInside(copied, RECORD.messages)
  if (there === undefined) return false
  const here = statInside(folder, RECORD.messages)
  if (here === undefined || here.size !== there.size) return true
  // The copy is a hard link until git writes the file again.
  if (here.ino === there.ino && here.dev === there.dev) return false
  return !haveSameBytes(copied, folder, Number(here.size))
}

function haveSameBytes(a: string, b: string, size: number): boolean {
  const files = [a, b].map((folder) => openInside(folder, RECORD.messages))
  try {
    const [one, other] = files
    if (one === undefined || other === undefined) return false
    for (let offset = 0; offset < size; offset += CHUNK_BYTES)
      if (!readAt(one, offset, CHUNK_BYTES).equals(readAt(other, offset, CHUNK_BYTES))) return false
    return true
  } finally {
    for (const file of files) if (file !== undefined) closeSync(file)
  }
}

const CHUNK_BYTES = 1024 * 1024
