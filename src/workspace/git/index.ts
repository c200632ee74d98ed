import { relative } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { withSlashes } from '../../io/slashes.ts'
import { findGitTop } from '../root.ts'
import { addingCommand, isSparse } from '../sparse.ts'
import { filesWithText, namesListed } from './own-settings.ts'
import { git, type WorkTree } from './run-git.ts'

/** Git commands that write nothing, not even to refresh the index. */

export type RepositoryState = {
  /** The full sha of the commit in HEAD; absent before the first commit. */
  head?: string
  /** The branch, which may have no commit yet. Absent when HEAD is detached. */
  branch?: string
  /** Whether a tracked file differs from HEAD. Files that cortext writes itself do not count. */
  dirty: boolean
}

/** The state of the repository of `root`; undefined outside git, and when git fails. */
export async function repositoryState(tree: WorkTree): Promise<RepositoryState | undefined> {
  if (findGitTop(tree.root) === undefined) return undefined
  try {
    const status = await statusOf(tree, { untracked: false })
    return { ...status.at, dirty: status.changes.some(({ path }) => !OWN_FILES.test(path)) }
  } catch {
    // There is no git on this machine, or git refuses the repository. The conversation is saved without this state.
    return undefined
  }
}

/** Files that cortext writes itself: records, and copies of the commands that records name (`.workspace/prompts/`). */
const OWN_FILES = /(?:^|\/)\.(?:session|workspace\/prompts)\//

export interface Status {
  at: { head?: string; branch?: string }
  /** What differs from HEAD, with paths relative to `root`. `unindexed`: HEAD has the file, and the index does not. */
  changes: { path: string; untracked: boolean; unindexed?: boolean }[]
  /** The files and folders that git ignores. */
  ignored: string[]
}

/** Git's status of `paths` (relative to `root`), or of the whole repository. Rejects with git's error message. */
export async function statusOf(
  tree: WorkTree,
  { paths, untracked = true }: { paths?: readonly string[]; untracked?: boolean },
): Promise<Status> {
  const pathspecs = foldersOf(paths ?? [])
  const output = await git(tree, [
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
  const prefix = (await git(tree, ['rev-parse', '--show-prefix'])).replace(/\n$/, '')
  const status = parseStatus(output, prefix)
  return paths === undefined || pathspecs.length === paths.length ? status : within(status, paths)
}

/** The paths. If they are too long for a command line, their top folders. */
function foldersOf(paths: readonly string[]): string[] {
  const length = paths.reduce((sum, path) => sum + Buffer.byteLength(literal(path)) + POINTER_BYTES, 0)
  if (length <= MAX_ARGUMENT_BYTES) return [...paths]
  return [...new Set(paths.map((path) => path.split('/')[0]!))]
}

/** macOS allows 1 MB for a command line. The environment's variables and a pointer for each word count too. */
const MAX_ARGUMENT_BYTES = 256 * 1024
const POINTER_BYTES = 8

/** Keeps the changes and the ignored files at and below `paths`, and the ignored folders that contain one of them. */
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

/** A path without a slash at its end, and all folders above it. */
function pathAndFolders(path: string): string[] {
  const parts = path.replace(/\/$/, '').split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Whether everything at and below these paths is in HEAD as it is on disk. False if git ignores some of it. */
export async function isCommitted(tree: WorkTree, paths: readonly string[]): Promise<boolean> {
  if (findGitTop(tree.root) === undefined) return false
  const { changes, ignored } = await statusOf(tree, { paths })
  return changes.length === 0 && ignored.length === 0
}

/**
 * Whether HEAD has a path. If it has: how many files at or below the path differ from HEAD, and how many git ignores. A
 * folder that git ignores counts as one.
 */
export type InHead = { held: false } | { held: true; changed: number; ignored: number }

/** Compares what is at and below a path with HEAD; undefined outside git, and when git fails. */
export async function inHead(tree: WorkTree, path: string): Promise<InHead | undefined> {
  if (findGitTop(tree.root) === undefined) return undefined
  try {
    const { at, changes, ignored } = await statusOf(tree, { paths: [path] })
    const held = at.head !== undefined && (await git(tree, ['ls-tree', 'HEAD', '--', path])) !== ''
    return held ? { held, changed: changes.length, ignored: ignored.length } : { held }
  } catch {
    return undefined
  }
}

/**
 * The files in these folders whose path ends in `ending`, and of which a version on any branch contains this text. Paths
 * from the root; undefined outside git, and when git fails.
 */
export async function filesThatHad(
  tree: WorkTree,
  folders: readonly string[],
  ending: string,
  text: string,
): Promise<string[] | undefined> {
  if (findGitTop(tree.root) === undefined) return undefined
  const where = folders.map((folder) => `:(glob)${folder}/**/${ending}`)
  return git(tree, filesWithText(text, '--all', where))
    .then(namesListed)
    .catch(() => undefined)
}

/** How many commits, on any branch, change what is at and below these paths; undefined outside git, and when git fails. */
export async function countCommits(tree: WorkTree, paths: readonly string[]): Promise<number | undefined> {
  if (findGitTop(tree.root) === undefined) return undefined
  try {
    const words = ['rev-list', '--all', '--count', '--full-history', '--', ...paths.map(literal)]
    return Number(await git(tree, words))
  } catch {
    return undefined
  }
}

/** Whether a file at or below a path is changed, new or deleted since HEAD. Ignored files do not count. */
export async function isChanged(tree: WorkTree, path: string): Promise<boolean> {
  if (findGitTop(tree.root) === undefined) return false
  return (await statusOf(tree, { paths: [path] })).changes.length > 0
}

/**
 * A pathspec that matches this path and, if it is a folder, all paths below it. `*`, `?` and `:` stand for themselves.
 */
export function literal(path: string): string {
  return `:(literal)${path}`
}

/** Git runs no program that the repository names for diffs, and does not look into submodules. */
export const DIFF_NAMES = [
  ...['diff', '--name-only', '--relative', '-z'],
  ...['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'],
]

/** Whether the repository of `root` has a remote. False outside git. */
export async function hasRemote(tree: WorkTree): Promise<boolean> {
  if (findGitTop(tree.root) === undefined) return false
  return (await git(tree, ['remote'])) !== ''
}

/** The branch that is checked out, which may have no commit yet. Undefined outside git, and when HEAD is detached. */
export async function branchHere(tree: WorkTree): Promise<string | undefined> {
  if (findGitTop(tree.root) === undefined) return undefined
  const name = await git(tree, ['symbolic-ref', '--short', '--quiet', 'HEAD']).catch(() => '')
  return name.trim() || undefined
}

/** Whether the repository has a branch of this name. False outside git. */
export async function hasBranch(tree: WorkTree, name: string): Promise<boolean> {
  if (findGitTop(tree.root) === undefined) return false
  const ref = `refs/heads/${name}`
  const found = await git(tree, ['for-each-ref', '--format=%(refname)', ref]).catch(() => '')
  return found.split('\n').includes(ref)
}

/** The name that this person's commits have; undefined when none is set. Names that git guesses do not count. */
export async function userName(tree: WorkTree): Promise<string | undefined> {
  const { env } = tree.environment
  const name = env.GIT_AUTHOR_NAME ?? (await git(tree, ['config', '--get', 'user.name']).catch(() => ''))
  return name.trim() === '' ? undefined : name.trim()
}

/** The files below `root` that git tracks, relative to `root`; none outside git. */
export async function trackedFiles(tree: WorkTree): Promise<string[]> {
  if (findGitTop(tree.root) === undefined) return []
  const output = await git(tree, ['ls-files', '-z']).catch(() => '')
  return records(output)
}

/** Whether git has a path (relative to `root`) in its index. False outside git, and when git fails. */
export async function isTracked(tree: WorkTree, path: string): Promise<boolean> {
  if (findGitTop(tree.root) === undefined) return false
  return (await git(tree, ['ls-files', '--', literal(path)]).catch(() => '')) !== ''
}

/**
 * The files below `folder` that git tracks and that are missing in the work tree, with their texts in the index. Paths
 * are relative to `root`. None outside git. Rejects with git's error message.
 */
export async function removedBelow(
  tree: WorkTree,
  folder: string,
): Promise<{ path: string; text: string }[]> {
  if (findGitTop(tree.root) === undefined) return []
  const output = await git(tree, ['ls-files', '-z', '--deleted', '--', literal(folder)])
  const paths = records(output)
  return Promise.all(paths.map(async (path) => ({ path, text: await git(tree, ['show', `:./${path}`]) })))
}

/**
 * The values of the git attributes `names` for a path (relative to `root`), which need not exist; see
 * git-check-attr(1). Rejects with git's error message.
 */
export async function attributesOf(
  tree: WorkTree,
  path: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  const output = await git(tree, ['check-attr', '-z', ...names, '--', path])
  const words = output.split('\0')
  return Object.fromEntries(names.map((_, index) => [words[3 * index + 1] ?? '', words[3 * index + 2] ?? '']))
}

/**
 * Returns those of the paths (relative to `root`) that git ignores. The paths need not exist. Tracked files are never
 * ignored.
 */
export async function ignoredAmong(tree: WorkTree, paths: readonly string[]): Promise<string[]> {
  if (findGitTop(tree.root) === undefined || paths.length === 0) return []
  return records(await git(tree, ['check-ignore', '-z', '--stdin'], paths.join('\0')))
}

/**
 * Returns those of the hidden folders (`conversations/`) of a private workspace in which git sees files all the same.
 * Git gives a `.gitignore` of the work tree, which a clone may bring, preference over our lines in `info/exclude`.
 * Rejects with git's error message.
 */
export async function seenByGit(
  tree: WorkTree & { environment: Environment },
  folders: readonly string[],
): Promise<string[]> {
  const day = tree.environment.now().toISOString().slice(0, 10)
  const names = ['x.md', 'x.json', `${day}/001-x/x.md`, `${day}/001-x/.session/x.jsonl`]
  const pathsIn = (folder: string) => names.map((name) => folder + name)
  const ignored = new Set(await ignoredAmong(tree, folders.flatMap(pathsIn)))
  return folders.filter((folder) => pathsIn(folder).some((path) => !ignored.has(path)))
}

/** What git has of a workspace, and a sparse checkout leaves out of the work tree; see git-sparse-checkout(1). */
export interface LeftOut {
  /** The folders of conversations, relative to the root. */
  conversations: string[]
  /** A command for the person that brings all of it. */
  fix: string
}

/**
 * What a sparse checkout leaves out of `.workspace/` and of the folders of conversations. Undefined if it is nothing.
 * Without a sparse checkout, no git is run.
 */
export async function leftOutOf(tree: WorkTree, folders: readonly string[]): Promise<LeftOut | undefined> {
  if (!isSparse(tree.root)) return undefined
  const own = [...new Set([...folders, '.workspace'])]
  const output = await git(tree, ['ls-files', '-t', '-z', '--', ...own.map(literal)]).catch(() => '')
  const files = records(output).flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []))
  const missing = own.filter((folder) => files.some((file) => file.startsWith(`${folder}/`)))
  if (missing.length === 0) return undefined
  const named = files.flatMap((file) => /^(.+\/\d{4}-\d{2}-\d{2}\/\d{3,6}-[^/]+)\//.exec(file)?.[1] ?? [])
  return { conversations: [...new Set(named)], fix: addingCommand(tree.root, missing) }
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

/** The text after the first `count` fields. One space separates two fields. */
function afterFields(record: string, count: number): string {
  return record.split(' ').slice(count).join(' ')
}

/** The records of an output of git with `-z`. */
export function records(output: string): string[] {
  return output.split('\0').filter((record) => record !== '')
}
