import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, scanConversations } from '../store/scan.ts'
import { loadConfig } from '../workspace/config.ts'
import { otherCopies } from '../workspace/repository.ts'

/**
 * The conversations whose folders somebody has removed, as `git clean -x` does, and that this machine can bring back. In
 * a shared workspace they may just lie on another branch, so none counts there; nor does one that lies in another
 * worktree.
 */
export function goneConversations(root: string, local: string, entries?: readonly Entry[]): string[] {
  const all = entries ?? scanConversations(root, local, { keepIndex: false })
  const gone = all.filter(({ backupOnly }) => backupOnly === true)
  if (gone.length === 0 || loadConfig(root).visibility === 'shared') return []
  const others = otherCopies(root)
  return gone.map(({ path }) => path).filter((path) => !others.some((other) => existsSync(join(other, path))))
}
