import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readRegular } from '../io/regular-file.ts'
import { withSlashes } from '../io/slashes.ts'
import { paste } from '../text/paste.ts'
import { findRepository } from './repository.ts'

/** Sparse checkouts (git-sparse-checkout(1)), as far as they are seen without git. */

/** The command that brings the workspace, if git has one at the top of the work tree and a sparse checkout leaves it out. */
export function leftOutWorkspace(folder: string): string | undefined {
  const { top, gitDir } = findRepository(folder) ?? {}
  if (top === undefined || gitDir === undefined || !isSparse(folder)) return undefined
  // An entry of the index may lack the beginning that it shares with the entry before it; see gitformat-index(5).
  if (readRegular(join(gitDir, 'index'))?.includes('workspace/config.json') !== true) return undefined
  return addingCommand(top, ['conversations', '.workspace'])
}

/** Whether this work tree has, or once had, a sparse checkout. */
export function isSparse(folder: string): boolean {
  const gitDir = findRepository(folder)?.gitDir
  return gitDir !== undefined && existsSync(join(gitDir, 'info', 'sparse-checkout'))
}

/** The command that brings folders (relative to `root`) into a sparse work tree. */
export function addingCommand(root: string, folders: readonly string[]): string {
  const top = findRepository(root)?.top ?? root
  const paths = folders.map((folder) => paste`${withSlashes(relative(top, join(root, folder)))}`).join(' ')
  return `git ${top === root ? '' : `${paste`-C ${top}`} `}sparse-checkout add ${paths}`
}
