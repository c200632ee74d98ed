import { join } from 'node:path'
import * as z from '../../zod.ts'
import { fileNameOf, localFiles } from '../layout.ts'
import { type Note, readNote, writeNote } from './note.ts'

/** The conversations that only other branches have. A cache, which forget.ts removes. */
export interface Branches {
  /** Identifies the branches and HEAD. */
  stamp: string
  found: OnOtherBranch[]
}

/** A conversation on a branch that is not checked out. */
export interface OnOtherBranch {
  branch: string
  /** The workspace-relative path of its folder. */
  path: string
  title: string
  /** ISO 8601. */
  lastActive: string
  messages: number
}

const Stored = z.object({
  stamp: z.string(),
  found: z.array(
    z.object({
      branch: z.string(),
      path: z.string(),
      title: z.string(),
      lastActive: z.string(),
      messages: z.number(),
    }),
  ),
})

export function readBranches(local: string, root: string): Branches | undefined {
  return readNote(noteOf(local, root))
}

export function writeBranches(local: string, root: string, branches: Branches): void {
  writeNote(local, noteOf(local, root), branches)
}

function noteOf(local: string, root: string): Note<Branches> {
  const path = join(localFiles(local).branches, `${fileNameOf(root)}.json`)
  return { path, parse: (value) => Stored.parse(value), cache: true }
}
