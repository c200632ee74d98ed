import { closeSync, constants, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileError } from '../../../io/file-error.ts'
import { listFilesBelow } from '../../../io/list-names.ts'
import { journalPath, journalSideFolder } from '../../layout.ts'
import type { Binding, Segment } from '../binding.ts'
import { BLANK } from './copy-bytes.ts'
import { listGenerations, readJournal } from './journal.ts'

/** A part of a journal that stays. `to`: default is the end. */
export type KeptPart = Pick<Segment, 'journal' | 'from' | 'to'>

/**
 * Blanks a journal outside the parts that are `kept`. A deletion needs this if the native session also belongs to other
 * conversations. Each byte outside becomes a BLANK; line breaks stay. So the offsets and line numbers of segments stay
 * valid, and the journal can continue where it ended, because a BLANK matches any byte there (copy-bytes.ts). Side files
 * whose names are in no remaining line are removed; publishing can copy them again from the client. Throws
 * `unreadable`, `unwritable` and the like.
 */
export function blankJournal(
  local: string,
  { client, native_id }: Pick<Binding, 'client' | 'native_id'>,
  kept: readonly KeptPart[],
): void {
  const sides = journalSideFolder(local, client, native_id)
  let unnamed = listFilesBelow(sides)
  for (const { name, path } of listGenerations(journalPath(local, client, native_id))) {
    const bytes = Buffer.from(readJournal(path))
    const parts = kept.filter(({ journal }) => journal === name)
    const blanked = blank(bytes, parts)
    overwrite(path, blanked)
    unnamed = unnamed.filter((side) => !blanked.includes(nameOfSide(side)))
  }
  for (const side of unnamed) rmSync(join(sides, side), { force: true })
}

/**
 * Writes the bytes of the transcript over the blanks in a part of a journal. `read` returns the whole transcript. Throws
 * `unreadable`, `unwritable` and the like.
 */
export function fillBlanks(
  local: string,
  { client, native_id }: Pick<Binding, 'client' | 'native_id'>,
  { journal, from, to }: { journal: string; from: number; to: number },
  read: () => Uint8Array,
): void {
  const found = listGenerations(journalPath(local, client, native_id)).find(({ name }) => name === journal)
  if (found === undefined) return
  const copy = Buffer.from(readJournal(found.path))
  if (!copy.subarray(from, to).includes(BLANK)) return
  const bytes = read()
  const end = Math.min(to, copy.length, bytes.length)
  // What is there stays, also if these bytes are of a copy of the session with other offsets.
  for (let at = from; at < end; at += 1) if (copy[at] === BLANK) copy[at] = bytes[at]!
  overwrite(found.path, copy)
}

function blank(bytes: Buffer, kept: readonly KeptPart[]): Buffer {
  const blanked = Buffer.alloc(bytes.length, BLANK)
  for (const { from, to = bytes.length } of kept) bytes.copy(blanked, from, from, to)
  for (let offset = bytes.indexOf(LINE_END); offset !== -1; offset = bytes.indexOf(LINE_END, offset + 1))
    blanked[offset] = LINE_END
  return blanked
}

const LINE_END = 0x0a

/** Writes into the same file, because a hook may append to it at the same moment. */
function overwrite(path: string, bytes: Buffer): void {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  try {
    for (let offset = 0; offset < bytes.length; )
      offset += writeSync(fd, bytes, offset, bytes.length - offset, offset)
    fsyncSync(fd)
  } catch (error) {
    throw fileError(error, path, 'write')
  } finally {
    closeSync(fd)
  }
}

/** `agent-ab66dc88.jsonl` and `agent-ab66dc88.meta.json`: a line may name the agent by its id alone. */
function nameOfSide(path: string): string {
  return parse(path)
    .name.replace(/\.meta$/, '')
    .replace(/^agent-/, '')
}
