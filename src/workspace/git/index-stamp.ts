import { statSync } from 'node:fs'
import { join } from 'node:path'
import { findGitDir } from '../root.ts'

/** Identifies the index of this work tree: every merge, checkout and commit changes it. Undefined outside git. */
export function indexStamp(root: string): string | undefined {
  const gitDir = findGitDir(root)
  if (gitDir === undefined) return undefined
  const stats = statSync(join(gitDir, 'index'), { throwIfNoEntry: false, bigint: true })
  return `${stats?.ino} ${stats?.size} ${stats?.mtimeNs} ${stats?.ctimeNs}`
}
