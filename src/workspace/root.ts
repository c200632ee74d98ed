import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readInside } from '../io/inside.ts'
import { makeFolders } from '../io/real-folder.ts'
import { findRepository, selfAndParents } from './repository.ts'

/** This file is part of the hook bundle: it uses no library. */

/**
 * The nearest folder at or above `folder` that contains `.workspace/`, with symlinks resolved; undefined when there is
 * none. A `.workspace/` of another user counts only in a repository that git accepts, or if this user is root.
 * Otherwise anyone could put one above this user's folders, for example into /tmp. A private workspace around a linked
 * worktree of its own repository does not count: the worktree has files of its own, and gets a workspace of its own.
 */
export function findRoot(folder: string): string | undefined {
  const root = rootAround(folder)
  return root !== undefined && isAroundWorktree(root, folder) ? undefined : root
}

/**
 * Like `findRoot`, but a private workspace around a linked worktree counts. For an agent whose client has gone into one
 * in mid-session: the conversation is still that of the workspace around it.
 */
export function rootAround(folder: string): string | undefined {
  for (const parent of selfAndParents(folder)) if (isAccepted(parent)) return parent
  return undefined
}

/** Clients make worktrees inside the main one, for example in `.claude/worktrees/`. */
function isAroundWorktree(root: string, folder: string): boolean {
  const inner = findRepository(folder)
  if (inner === undefined || !inner.knowsTop || inner.top === root || inner.gitDir === inner.common)
    return false
  const outer = findRepository(root)
  return outer?.top === root && outer.common === inner.common && seemsPrivate(root)
}

/** Searches the settings as text. Verbs report what is wrong with them. */
function seemsPrivate(root: string): boolean {
  try {
    return /"visibility"\s*:\s*"private"/.test(readInside(root, '.workspace/config.json') ?? '')
  } catch {
    return false
  }
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
