import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { withSlashes } from '../../io/slashes.ts'
import { findGitTop } from '../root.ts'
import { git } from './run.ts'

/** Read-only git commands. None of them writes, not even to refresh the index. */

export type RepositoryState = {
  /** The full sha of the commit; absent before the first one. */
  head?: string
  /** The branch, also before its first commit. Absent when HEAD is detached. */
  branch?: string
  /**
   * Whether a tracked file differs from the commit. Untracked files and the files that we write ourselves do not count.
   */
  dirty: boolean
}

/** The state of the repository of `root`; undefined outside git, and when git fails. */
export async function repositoryState(
  root: string,
  env: Environment['env'],
): Promise<RepositoryState | undefined> {
  if (findGitTop(root) === undefined) return undefined
  try {
    const status = await statusOf({ root, env, untracked: false })
    return { ...status.at, dirty: status.changes.some(({ path }) => !OWN_FILES.test(path)) }
  } catch {
    // There is no git on this machine, or git refuses the repository. The conversation is saved all the same.
    return undefined
  }
}

/**
 * Files that cortext writes itself: records, and the command snapshots (`.workspace/prompts/`) to which records refer.
 */
const OWN_FILES = /(?:^|\/)\.(?:session|workspace\/prompts)\//

export interface Status {
  at: { head?: string; branch?: string }
  /** The differences from HEAD, with paths relative to `root`. `unindexed`: HEAD has the path, the index does not. */
  changes: { path: string; untracked: boolean; unindexed?: boolean }[]
  /** Existing files or folders that git ignores. */
  ignored: string[]
}

/** Git's status of some paths (relative to `root`) or of everything. Rejects with git's error message. */
export async function statusOf({ root, env, paths, untracked = true }: StatusRequest): Promise<Status> {
  const pathspecs = foldersOf(paths ?? [])
  const output = await git(root, env, [
    'status',
    '--porcelain=v2',
    '--branch',
    '--no-renames',
    '--ignore-submodules=dirty',
    '-z',
    ...(untracked ? ['--untracked-files=all', '--ignored=matching'] : ['--untracked-files=no']),
    '--',
    ...pathspecs.map(literal),
  ])
  const prefix = (await git(root, env, ['rev-parse', '--show-prefix'])).replace(/\n$/, '')
  const status = parseStatus(output, prefix)
  return paths === undefined || pathspecs.length === paths.length ? status : within(status, paths)
}

/** The paths; if a command line cannot contain them all, the top folders that they are in. */
function foldersOf(paths: readonly string[]): string[] {
  const length = paths.reduce((sum, path) => sum + Buffer.byteLength(literal(path)) + POINTER_BYTES, 0)
  if (length <= MAX_ARGUMENT_BYTES) return [...paths]
  return [...new Set(paths.map((path) => path.split('/')[0]!))]
}

/** On macOS a command line has at most 1 MB, including its variables and a pointer for each word. */
const MAX_ARGUMENT_BYTES = 256 * 1024
const POINTER_BYTES = 8

/** Keeps only these paths, everything below them, and ignored folders that contain them. */
function within(status: Status, paths: readonly string[]): Status {
  const asked = new Set(paths)
  const isAsked = (path: string) => pathAndFolders(path).some((ancestor) => asked.has(ancestor))
  const folders = new Set(paths.flatMap(pathAndFolders))
  return {
    ...status,
    changes: status.changes.filter(({ path }) => isAsked(path)),
    ignored: status.ignored.filter((path) => isAsked(path) || folders.has(path.replace(/\/$/, ''))),
  }
}

/** A path, without a slash at its end, and the folders that it is in. */
function pathAndFolders(path: string): string[] {
  const parts = path.replace(/\/$/, '').split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Whether HEAD contains everything at and below these paths as it is on disk. */
export async function isCommitted(
  root: string,
  env: Environment['env'],
  paths: readonly string[],
): Promise<boolean> {
  if (findGitTop(root) === undefined) return false
  const { changes, ignored } = await statusOf({ root, env, paths })
  return changes.length === 0 && ignored.length === 0
}

/** Whether HEAD has a path; if so, how many of its files differ and how many git ignores. */
export type InHead = { held: false } | { held: true; changed: number; ignored: number }

/** Compares a path, and everything below it, with HEAD; undefined outside git, and when git fails. */
export async function inHead(
  root: string,
  env: Environment['env'],
  path: string,
): Promise<InHead | undefined> {
  if (findGitTop(root) === undefined) return undefined
  try {
    const { at, changes, ignored } = await statusOf({ root, env, paths: [path] })
    const held = at.head !== undefined && (await git(root, env, ['ls-tree', 'HEAD', '--', path])) !== ''
    return held ? { held, changed: changes.length, ignored: ignored.length } : { held }
  } catch {
    return undefined
  }
}

/** Whether anything at or below a path differs from HEAD: changed, new or deleted. Ignored files do not count. */
export async function isChanged(root: string, env: Environment['env'], path: string): Promise<boolean> {
  if (findGitTop(root) === undefined) return false
  return (await statusOf({ root, env, paths: [path] })).changes.length > 0
}

interface StatusRequest {
  root: string
  env: Environment['env']
  paths?: readonly string[]
  untracked?: boolean
}

/** A pathspec that matches only this path: `*`, `?` and `:` in it have no special meaning. */
export function literal(path: string): string {
  return `:(literal)${path}`
}

/** The changes in the repository since a session was saved. */
export interface Changes {
  /** The number of commits that HEAD reaches and the saved commit does not. */
  commits: number
  /** The given paths whose content has changed. */
  changed: string[]
}

/**
 * Lists the changes since `head`; undefined when this clone does not have that commit. If the work tree was clean then,
 * `head` is compared with the files on disk. If it was `dirty`, `head` is compared with HEAD, because an edit of the
 * session would count as one made after it. `paths` are relative to `root`; paths outside the repository are skipped.
 */
export async function changesSince(request: {
  root: string
  env: Environment['env']
  head: string
  dirty?: boolean
  paths: readonly string[]
  /** Commits that touch only these paths do not count, because they are a conversation's own saves. */
  except?: readonly string[]
}): Promise<Changes | undefined> {
  const { root, env, head, dirty, paths, except = [] } = request
  const top = findGitTop(root)
  if (top === undefined || !/^[0-9a-f]{7,64}$/.test(head)) return undefined
  try {
    const own = except.map((path) => `:(exclude,literal)${path}`)
    const others = own.length === 0 ? [] : ['--', ':(top)', ...own]
    const commits = Number(await git(root, env, ['rev-list', '--count', `${head}..HEAD`, ...others]))
    const inside = paths.filter((path) => isInside(top, resolve(root, path)))
    if (inside.length === 0) return { commits, changed: [] }
    const to = dirty ? ['HEAD'] : []
    const diff = ['diff', ...NAMES_ONLY, '--relative', '-z', head, ...to]
    const output = await git(top, env, [
      ...diff,
      '--',
      ...inside.map((path) => literal(relative(top, resolve(root, path)) || '.')),
    ])
    return {
      commits,
      changed: records(output).map((path) => withSlashes(relative(root, resolve(top, path)))),
    }
  } catch {
    // The commit is not in this clone, or git failed. Then nothing is known, which differs from "no change".
    return undefined
  }
}

/** The diff runs no program that the repository names, and no git in its submodules. */
const NAMES_ONLY = [
  '--name-only',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
]

/** Whether the repository of `root` has a remote. False outside git. */
export async function hasRemote(root: string, env: Environment['env']): Promise<boolean> {
  if (findGitTop(root) === undefined) return false
  return (await git(root, env, ['remote'])) !== ''
}

/** The name that git gives to commits of this person; undefined when none is set. Git's own guesses do not count. */
export async function userName(root: string, env: Environment['env']): Promise<string | undefined> {
  const name = env.GIT_AUTHOR_NAME ?? (await git(root, env, ['config', '--get', 'user.name']).catch(() => ''))
  return name.trim() === '' ? undefined : name.trim()
}

/** The files below `root` that git tracks, relative to `root`; none outside git. */
export async function trackedFiles(root: string, env: Environment['env']): Promise<string[]> {
  if (findGitTop(root) === undefined) return []
  const output = await git(root, env, ['ls-files', '-z']).catch(() => '')
  return output.split('\0').filter((path) => path !== '')
}

/** Whether git has a path (relative to `root`) in its index. False outside git, and when git fails. */
export async function isTracked(root: string, env: Environment['env'], path: string): Promise<boolean> {
  if (findGitTop(root) === undefined) return false
  return (await git(root, env, ['ls-files', '--', literal(path)]).catch(() => '')) !== ''
}

/**
 * The attributes that git gives to a path (relative to `root`), which need not exist; see git-check-attr(1). Rejects
 * with git's error message.
 */
export async function attributesOf(
  root: string,
  env: Environment['env'],
  path: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  const output = await git(root, env, ['check-attr', '-z', ...names, '--', path])
  const words = output.split('\0')
  return Object.fromEntries(names.map((_, index) => [words[3 * index + 1] ?? '', words[3 * index + 2] ?? '']))
}

/**
 * Returns those of the paths (relative to `root`, existing or not) that git ignores. Tracked files are never ignored.
 */
export async function ignoredAmong(
  root: string,
  env: Environment['env'],
  paths: readonly string[],
): Promise<string[]> {
  if (findGitTop(root) === undefined || paths.length === 0) return []
  return records(await git(root, env, ['check-ignore', '-z', '--stdin'], paths.join('\0')))
}

function parseStatus(output: string, prefix: string): Status {
  const status: Status = { at: {}, changes: [], ignored: [] }
  const here = (path: string) => withSlashes(relative(`/${prefix}`, `/${path}`))
  for (const record of records(output)) {
    const [kind] = record
    if (kind === '#') readBranch(record, status.at)
    if (kind === '1') {
      const unindexed = record.startsWith('1 D.')
      status.changes.push({ path: here(afterFields(record, 8)), untracked: false, unindexed })
    }
    if (kind === 'u') status.changes.push({ path: here(afterFields(record, 10)), untracked: false })
    if (kind === '?') status.changes.push({ path: here(record.slice(2)), untracked: true })
    if (kind === '!') status.ignored.push(here(record.slice(2)))
  }
  return status
}

function readBranch(record: string, at: Status['at']): void {
  const [, key, value = ''] = record.split(' ')
  if (key === 'branch.oid' && value !== '(initial)') at.head = value
  if (key === 'branch.head' && value !== '(detached)') at.branch = value
}

/** The text after the first `count` fields, which single spaces separate. */
function afterFields(record: string, count: number): string {
  return record.split(' ').slice(count).join(' ')
}

function records(output: string): string[] {
  return output.split('\0').filter((record) => record !== '')
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
