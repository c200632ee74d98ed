import { statSync } from 'node:fs'
import { join } from 'node:path'
import { crypto } from '../../hash.ts'
import { listFilesBelow } from '../../io/list-names.ts'
import { listsProcesses, processesIn } from '../../io/process.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import { findRepository } from '../repository.ts'

/**
 * The lock of git's index. No commit is possible while it exists. A git that SIGKILL has ended does not remove its
 * lock.
 */
export interface IndexLock {
  path: string
  made: Date
  /** A running git in this work tree. It may hold the lock. */
  git?: { pid: number; name: string }
  /** Probably no process holds the lock: no git runs here, and the lock is older than MAX_COMMIT_MS. */
  leftOver: boolean
}

/** Undefined when git's index is not locked, and outside git. Without /proc, `leftOver` is always false. */
export function indexLock(root: string, now = new Date()): IndexLock | undefined {
  const repository = findRepository(root)
  if (repository === undefined) return undefined
  const path = join(repository.gitDir, 'index.lock')
  const made = statSync(path, { throwIfNoEntry: false })?.mtime
  if (made === undefined) return undefined
  const [git] = processesIn(repository.top, ['git'])
  const leftOver = git === undefined && listsProcesses() && now.getTime() - made.getTime() > MAX_COMMIT_MS
  return { path, made, leftOver, ...(git === undefined ? {} : { git }) }
}

/** Longer than a commit takes. This is needed because a git in another container cannot be seen from here. */
const MAX_COMMIT_MS = 5 * 60_000

/** Tells a person about the lock, and what to do about it. */
export function describeLock(lock: IndexLock, now: Date): { what: string; fix: string } {
  const what = `git's index is locked by ${lock.path}, made ${relativeTime(lock.made, now)}`
  if (lock.git !== undefined)
    return {
      what: `${what}; a git that works here may hold it (process ${lock.git.pid})`,
      fix: 'wait until it has ended',
    }
  const fix = paste`rm ${lock.path}`
  return lock.leftOver
    ? { what: `${what}, and no git works here: a git that was killed has left it`, fix }
    : { what, fix: `if no other git is at work here: ${fix}` }
}

/**
 * Identifies the state of git's index in this work tree. Every merge, checkout and commit changes it. Undefined outside
 * git.
 */
export function indexStamp(root: string): string | undefined {
  const gitDir = findRepository(root)?.gitDir
  if (gitDir === undefined) return undefined
  const stats = statSync(join(gitDir, 'index'), { throwIfNoEntry: false, bigint: true })
  return `${stats?.ino} ${stats?.size} ${stats?.mtimeNs} ${stats?.ctimeNs}`
}

/** Identifies what git's branches and HEAD lead to. Starts no git. Undefined outside git. */
export function branchesStamp(root: string): string | undefined {
  const repository = findRepository(root)
  if (repository === undefined) return undefined
  const { common, gitDir } = repository
  const below = ['refs/heads', 'refs/remotes'].flatMap((folder) =>
    listFilesBelow(join(common, folder)).map((path) => join(common, folder, path)),
  )
  const files = [
    join(gitDir, 'HEAD'),
    join(common, 'packed-refs'),
    join(common, 'reftable', 'tables.list'),
    ...below,
  ]
  const stamps = files.map((path) => {
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true })
    return `${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeNs}`
  })
  return crypto().createHash('sha256').update(stamps.join('\n')).digest('hex')
}
