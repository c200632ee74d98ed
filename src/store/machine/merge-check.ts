import { join } from 'node:path'
import type { IndexEntry } from '../../session/index-entry.ts'
import * as z from '../../zod.ts'
import { fileNameOf, localFiles } from '../layout.ts'
import { type Note, readNote, writeNote } from './note.ts'

/** The state of git's files when a work tree was last checked for work that a merge has left. */
export interface MergeCheck {
  /** Identifies git's index. */
  stamp: string
  /** The commit that is checked out. */
  head?: string | undefined
  /** The work that a merge has left, and that no changing verb has done yet. */
  left: Left[]
  /** Another process is doing this work. It may have written what is no longer in `left`, but not committed it yet. */
  begun?: true
}

/** A conversation for which a merge has left work. Paths are workspace-relative. */
export interface Left {
  path: string
  /**
   * `apart`: several conversations that began under one name are in its folder. `joined`: git kept two sides of its
   * session.json. `counted`: its numbers are those of only one side. `failed`: the work could not be determined.
   */
  what: 'apart' | 'joined' | 'counted' | 'failed'
  /** The folders that the other conversations will get. */
  others?: string[]
  /**
   * The metadata that it has after this work, for lists. `mtimeMs` is the modification time of the session.json from
   * which it was read.
   */
  session?: IndexEntry
  mtimeMs: number
}

const Stored = z.object({
  stamp: z.string(),
  head: z.optional(z.string()),
  left: z.array(z.custom<Left>((value) => typeof (value as Left | null)?.path === 'string')),
  begun: z.optional(z.literal(true)),
})

/** The last check of a work tree. Undefined when nothing is known; then everything is checked again. */
export function readMergeCheck(local: string, root: string): MergeCheck | undefined {
  return readNote(noteOf(local, root))
}

export function writeMergeCheck(local: string, root: string, check: MergeCheck): void {
  writeNote(local, noteOf(local, root), check)
}

function noteOf(local: string, root: string): Note<MergeCheck> {
  const path = join(localFiles(local).mergeChecks, `${fileNameOf(root)}.json`)
  return { path, parse: (value) => Stored.parse(value) as MergeCheck, cache: true }
}
