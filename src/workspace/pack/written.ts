import { basename, dirname } from 'node:path'
import { readInside, writeInside } from '../../io/inside.ts'

/**
 * The files that this machine has written into a workspace: a line `sha256:<hex> <path>` for each version of each file.
 */
export type Written = Set<string>

export function writtenLine(path: string, hash: string): string {
  return `${hash} ${path}`
}

/**
 * Reads what this machine has written in any worktree; empty when it has written nothing. `local` is the local folder.
 */
export function readWritten(local: string): Written {
  const { folder, path } = placeOf(local)
  return new Set((readInside(folder, path) ?? '').split('\n').filter((line) => line !== ''))
}

/** Adds these lines to the file, which other worktrees share. */
export function writeWritten(local: string, written: Written): void {
  const { folder, path } = placeOf(local)
  const before = readWritten(local)
  const all = new Set([...before, ...written])
  if (all.size > before.size)
    writeInside(folder, path, `${[...all].sort().join('\n')}\n`, {
      mode: 0o600,
      folderMode: 0o700,
    })
}

function placeOf(local: string): { folder: string; path: string } {
  return { folder: dirname(local), path: `${basename(local)}/written` }
}
