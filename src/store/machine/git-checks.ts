import { join } from 'node:path'
import type { IndexEntry } from '../../session/index-entry.ts'
import * as z from '../../zod.ts'
import { fileNameOf, localFiles } from '../layout.ts'
import { type Note, readNote, writeNote } from './note.ts'

/** What the last check of a work tree found: which work a merge has left there. */
export interface MergeCheck {
  /** Identifies git's index at the check. */
  stamp: string
  /** The commit that was checked out. */
  head?: string | undefined
  /** The work that no changing verb has done yet. */
  left: Left[]
  /**
   * Another process is doing the work. What it has written is no longer in `left`, but it may not have committed it
   * yet.
   */
  begun?: true
}

/** A conversation for which a merge has left work. Paths are workspace-relative. */
export interface Left {
  path: string
  /**
   * `apart`: its folder contains several conversations, which began under one name in different clones. `joined`: git
   * kept both sides of its session.json. `counted`: session.json has the numbers of only one side. `failed`: the check
   * could not find out what to do.
   */
  what: 'apart' | 'joined' | 'counted' | 'failed'
  /** With `apart`: the folders for the other conversations. */
  others?: string[]
  /**
   * For lists: the conversation's metadata after the work. `mtimeMs` is the modification time of its session.json at
   * the check.
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

/** The last check of a work tree; undefined when there is none. */
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

const StoredBranches = z.object({
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
  return readNote(branchesNote(local, root))
}

export function writeBranches(local: string, root: string, branches: Branches): void {
  writeNote(local, branchesNote(local, root), branches)
}

function branchesNote(local: string, root: string): Note<Branches> {
  const path = join(localFiles(local).branches, `${fileNameOf(root)}.json`)
  return { path, parse: (value) => StoredBranches.parse(value), cache: true }
}
