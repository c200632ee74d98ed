import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { realFolder } from '../io/real-folder.ts'

/** This file is part of the hook bundle: it uses no library. */

/**
 * The nearest folder at or above `folder` that holds `.workspace/`, with symlinks resolved; undefined when there is
 * none.
 */
export function findRoot(folder: string): string | undefined {
  for (const parent of selfAndParents(folder)) if (isFolder(join(parent, '.workspace'))) return parent
  return undefined
}

/**
 * Makes the folder of a workspace if it is missing, and returns it with its links resolved. Throws node's own errors.
 */
export function makeRoot(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return realpathSync(folder)
}

/** The top of the git work tree that `folder` lies in. It is found without starting git. */
export function findGitTop(folder: string): string | undefined {
  for (const parent of selfAndParents(folder)) if (existsSync(join(parent, '.git'))) return parent
  return undefined
}

/**
 * Git's common directory: the `.git` of the main work tree, whichever linked worktree `folder` is in. It is read from
 * the files that gitrepository-layout(5) documents. Undefined outside git.
 */
export function findGitCommonDir(folder: string): string | undefined {
  const top = findGitTop(folder)
  if (top === undefined) return undefined
  const dotGit = join(top, '.git')
  if (isFolder(dotGit)) return dotGit
  const gitDir = /^gitdir: (.+)$/m.exec(readText(dotGit))?.[1]?.trim()
  if (gitDir === undefined) return undefined
  const absolute = resolve(top, gitDir)
  const common = readText(join(absolute, 'commondir')).trim()
  if (common === '') return absolute
  return isAbsolute(common) ? common : resolve(absolute, common)
}

/**
 * The folder for this machine's own state of a workspace: journal, bindings, index, locks, log. It lies in git's common
 * directory, so that every worktree shares it and no `stash`, `checkout` or `clean` reaches it; outside git it is
 * `.workspace/local/`. A workspace in a sub-folder has a folder of its own, named by its path in the repository,
 * because conversations are known by their path in the workspace. This function does not create the folder.
 */
export function localDir(root: string): string {
  const common = findGitCommonDir(root)
  const top = findGitTop(root)
  if (common === undefined || top === undefined) return join(root, '.workspace', 'local')
  const below = relative(top, root)
  return below === '' ? join(common, 'cortext') : join(common, 'cortext', 'below', encodeURIComponent(below))
}

function* selfAndParents(folder: string): Generator<string> {
  let current = realFolder(folder)
  while (true) {
    yield current
    const parent = dirname(current)
    if (parent === current) return
    current = parent
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
