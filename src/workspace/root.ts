import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../io/real-folder.ts'
import { findRepository, selfAndParents } from './repository.ts'

/** This file is part of the hook bundle: it uses no library. */

/**
 * The nearest folder at or above `folder` that contains `.workspace/`, with symlinks resolved; undefined when there is
 * none. A `.workspace/` of another user counts only in a repository that git accepts, or if this user is root.
 * Otherwise anyone could put one above this user's folders, for example into /tmp.
 */
export function findRoot(folder: string): string | undefined {
  for (const parent of selfAndParents(folder)) if (isAccepted(parent)) return parent
  return undefined
}

function isAccepted(root: string): boolean {
  const owner = ownerOfFolder(join(root, '.workspace'))
  const user = process.geteuid?.()
  if (owner === undefined) return false
  return user === undefined || user === 0 || owner === user || findRepository(root) !== undefined
}

/**
 * Makes the folder of a workspace if it is missing, and returns it with its links resolved. Throws node's own errors.
 */
export function makeRoot(folder: string): string {
  makeFolders(folder)
  return realpathSync(folder)
}

/** The top of the git work tree that contains `folder`. Undefined outside git. */
export function findGitTop(folder: string): string | undefined {
  return findRepository(folder)?.top
}

/**
 * The top of the repository around a workspace in a folder of a repository, unless the top is in a workspace too. Clients
 * that are started there are not recorded.
 */
export function unrecordedTop(root: string): string | undefined {
  const top = findGitTop(root)
  return top === undefined || top === root || findRoot(top) !== undefined ? undefined : top
}

/** The owner of a folder; undefined when the path is missing, a link or not a folder. */
function ownerOfFolder(path: string): number | undefined {
  try {
    const stats = lstatSync(path)
    return stats.isDirectory() ? stats.uid : undefined
  } catch {
    return undefined
  }
}
