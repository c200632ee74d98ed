import { basename, dirname } from 'node:path'
import { readInside, writeInside } from '../../io/inside.ts'

/**
 * The files that this machine has written into a workspace. Each version of a file has a line `sha256:<hex> <path>`.
 */
export type Written = Set<string>

export function writtenLine(path: string, hash: string): string {
  return `${hash} ${path}`
}

/** Reads what this machine has written into the workspace in any worktree. */
export function readWritten(local: string): Written {
  const { folder, path } = placeOf(local)
  return new Set((readInside(folder, path) ?? '').split('\n').filter((line) => line !== ''))
}

/** Adds lines to those that the file has. Other worktrees may have written them. */
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
