import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { outputOf } from '../io/process.ts'
import { realFolder } from '../io/real-folder.ts'
import { readText } from '../io/regular-file.ts'
import { paste } from '../text/paste.ts'

/**
 * This file is part of the hook bundle: it uses no library. It starts git only if a folder of the repository belongs to
 * another user.
 */

/** A repository that git would accept. */
export interface Repository {
  /** The top of the work tree. */
  top: string
  /** Git's common directory: the `.git` of the main work tree, also if `top` is a linked worktree. */
  common: string
  /** Git's directory for this work tree: `common`, or for a linked worktree a folder in it. */
  gitDir: string
  /**
   * Whether the repository knows this work tree: its `.git` is a folder with a whole repository, or a file whose target
   * names this work tree. If this is false, a stranger's folder may only claim to belong to the repository, and must
   * not use its local folder.
   */
  knowsTop: boolean
}

/** A `.git` with which git gives this user no work tree. */
export interface Refused {
  /** A clause for a person, and a command for the person to paste. */
  refused: string
  fix: string
  /** Only if the repository belongs to another user: git may accept it later. */
  repository?: Repository
  bare?: true
}

/**
 * The repository around `folder`, found without git, by the files of gitrepository-layout(5). A `.git` folder that is
 * not a repository is skipped, as git does. Undefined outside git, and if git refuses the nearest `.git`.
 */
export function findRepository(folder: string): Repository | undefined {
  const found = nearest(folder)
  return found === undefined || 'refused' in found ? undefined : found
}

/** Why git refuses the nearest `.git` at or above `folder`; undefined outside git, and if git accepts it. */
export function findRefused(folder: string): Refused | undefined {
  const found = nearest(folder)
  return found !== undefined && 'refused' in found ? found : undefined
}

function nearest(folder: string): Repository | Refused | undefined {
  for (const top of selfAndParents(folder)) {
    const found = repositoryAt(top)
    if (found !== 'none here') return found
  }
  return undefined
}

export function* selfAndParents(folder: string): Generator<string> {
  let current = realFolder(folder)
  while (true) {
    yield current
    const parent = dirname(current)
    if (parent === current) return
    current = parent
  }
}

/**
 * The path of a folder in each other worktree of its repository. The folder need not exist there. Empty outside git.
 * See gitrepository-layout(5).
 */
export function otherCopies(folder: string): string[] {
  const repository = findRepository(folder)
  if (repository === undefined) return []
  const { top, common } = repository
  const tops = [...linkedTops(common), ...(basename(common) === '.git' ? [dirname(common)] : [])]
  return tops
    .map(realFolder)
    .filter((otherTop) => otherTop !== top)
    .map((otherTop) => join(otherTop, relative(top, folder)))
}

/**
 * A name for the linked worktree around `folder`, which no other worktree of its repository has had; undefined in the
 * main one and outside git.
 */
export function linkedName(folder: string): string | undefined {
  const { gitDir, common } = findRepository(folder) ?? {}
  if (gitDir === undefined || gitDir === common) return undefined
  return nameOfLinked(gitDir)
}

/** The names (`linkedName`) of the linked worktrees of the repository around `folder`, without those that are gone. */
export function linkedNames(folder: string): string[] {
  const common = findRepository(folder)?.common
  const gitDirs = common === undefined ? [] : linkedGitDirs(common)
  return gitDirs.filter((gitDir) => linkedTop(gitDir).some(isFolder)).map(nameOfLinked)
}

function nameOfLinked(gitDir: string): string {
  // Git gives the name of a removed worktree to a later one.
  const made = statSync(join(gitDir, 'gitdir'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return `${basename(gitDir)}~${Math.round(made * 1000).toString(36)}`
}

/** The work trees that a repository names as its linked ones. Some may be gone. */
function linkedTops(common: string): string[] {
  return linkedGitDirs(common).flatMap(linkedTop)
}

function linkedTop(gitDir: string): string[] {
  const dotGit = withoutEnd(textOf(join(gitDir, 'gitdir')))
  return dotGit === '' ? [] : [dirname(resolve(gitDir, dotGit))]
}

/** Git's directories for the linked worktrees of a repository, in its common directory. */
export function linkedGitDirs(common: string): string[] {
  return namesIn(join(common, 'worktrees')).map((name) => join(common, 'worktrees', name))
}

function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder) : []
}

function repositoryAt(top: string): Repository | Refused | 'none here' {
  const dotGit = join(top, '.git')
  const entry = statSync(dotGit, { throwIfNoEntry: false })
  if (entry === undefined) return 'none here'
  const gitDir = entry.isDirectory() ? dotGit : targetOf(top, dotGit)
  const common = gitDir === undefined ? undefined : commonOf(gitDir)
  if (gitDir === undefined || common === undefined)
    return entry.isDirectory() ? 'none here' : leadsNowhere(top, dotGit, gitDir)
  const repository = { top, common, gitDir, knowsTop: knowsWorkTree(top, dotGit, gitDir, common) }
  if (!isAccepted(top, [top, dotGit, gitDir])) return ofAnotherUser(repository)
  return gitDir === common && isBare(common) ? bareParent(top, common) : repository
}

function leadsNowhere(top: string, dotGit: string, gitDir: string | undefined): Refused {
  return {
    refused: `${dotGit} leads to no repository${gitDir === undefined ? '' : ` (${gitDir})`}`,
    fix: paste`git worktree repair ${top}`,
  }
}

function ofAnotherUser(repository: Repository): Refused {
  const { top } = repository
  return {
    refused: `git refuses ${top}, because it belongs to another user`,
    fix: paste`git config --global --add safe.directory ${top}`,
    repository,
  }
}

/** The folder of a bare repository with its worktrees beside it: `project/.git` leads to `project/.bare`. */
function bareParent(top: string, common: string): Refused {
  const worktree = linkedTops(common).find(isFolder)
  return {
    refused: `${top} has a bare repository, so git keeps no files there, only in its worktrees`,
    fix: worktree === undefined ? 'git worktree add main' : paste`cd ${worktree} && cortext init`,
    bare: true,
  }
}

function isBare(common: string): boolean {
  const config = ['config', 'config.worktree'].map((name) => textOf(join(common, name))).join('\n')
  return valueIn(config, 'bare') === 'true' && valueIn(config, 'worktree') === undefined
}

function targetOf(top: string, dotGit: string): string | undefined {
  // The name of a folder may contain line breaks. Like git, this removes only those at the end.
  const target = /^gitdir: (.+?)[\r\n]*$/s.exec(textOf(dotGit))?.[1]
  return target === undefined ? undefined : resolve(top, target)
}

/** The common directory that belongs to `gitDir`; undefined when `gitDir` is not a directory of git. */
function commonOf(gitDir: string): string | undefined {
  if (!/^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(headOf(gitDir))) return undefined
  const common = resolve(gitDir, withoutEnd(textOf(join(gitDir, 'commondir'))) || '.')
  return ['objects', 'refs'].every((name) => isFolder(join(common, name))) ? common : undefined
}

/**
 * The branch that is checked out around a folder. Undefined outside git, for a detached HEAD, and where git keeps its
 * references in one table (reftable).
 */
export function branchOf(folder: string): string | undefined {
  const gitDir = findRepository(folder)?.gitDir
  const name = gitDir === undefined ? undefined : /^ref:\s*refs\/heads\/(.+?)\s*$/.exec(headOf(gitDir))?.[1]
  return name === '.invalid' ? undefined : name
}

/** The content of HEAD. In very old repositories HEAD is a symlink to the branch. */
function headOf(gitDir: string): string {
  const head = join(gitDir, 'HEAD')
  const link = lstatSync(head, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return link ? `ref: ${readlinkSync(head)}` : textOf(head)
}

function knowsWorkTree(top: string, dotGit: string, gitDir: string, common: string): boolean {
  const entry = lstatSync(dotGit)
  if (entry.isDirectory()) return realFolder(common) === realFolder(dotGit)
  const within = relative(top, realFolder(gitDir))
  if (entry.isSymbolicLink() || (within !== '..' && !within.startsWith(`..${sep}`))) return false
  const linked = withoutEnd(textOf(join(gitDir, 'gitdir')))
  if (linked !== '') {
    const worktrees = dirname(realFolder(gitDir))
    const inside = basename(worktrees) === 'worktrees' && dirname(worktrees) === realFolder(common)
    return inside && isSame(dirname(resolve(gitDir, linked)), top)
  }
  // With this setting, a submodule's git directory names its work tree.
  const worktree = valueIn(textOf(join(gitDir, 'config')), 'worktree')
  return worktree !== undefined && isSame(resolve(gitDir, worktree), top)
}

/** The value of a setting of the section `core` in a file of git's configuration. */
function valueIn(config: string, name: string): string | undefined {
  const lines = config.split('\n').map((line) => line.trim())
  const [, value] = lines.map((line) => line.split('=')).find(([key]) => key?.trim() === name) ?? []
  return value?.trim().replaceAll('"', '')
}

function isSame(folder: string, top: string): boolean {
  try {
    return realpathSync(folder) === top
  } catch {
    // The folder does not exist.
    return false
  }
}

/**
 * Whether git accepts the repository. Git refuses a repository of another user, if the person's settings do not allow
 * it (`safe.directory`). These settings are not read here: if one of the paths belongs to another user, git itself is
 * asked.
 */
function isAccepted(top: string, paths: readonly string[]): boolean {
  const user = process.geteuid?.()
  if (user === undefined) return true
  const users = [user, ...(user === 0 ? [Number(process.env.SUDO_UID ?? user)] : [])]
  if (paths.every((path) => users.includes(lstatSync(path).uid))) return true
  const accepted = VERDICTS.get(top) ?? gitAccepts(top)
  VERDICTS.set(top, accepted)
  return accepted
}

const VERDICTS = new Map<string, boolean>()

/** Whether git accepts the repository; false also if this machine has no git. */
function gitAccepts(top: string): boolean {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name)))
  const args = ['-c', 'safe.bareRepository=explicit', 'rev-parse', '--git-dir']
  return outputOf('git', args, { cwd: top, env }) !== undefined
}

function withoutEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '')
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** The text of a regular file; '' when it is missing, cannot be read or is too large to be git's. */
function textOf(path: string): string {
  try {
    return readText(path, MAX_BYTES) ?? ''
  } catch {
    return ''
  }
}

/** Git's `config` is the largest file here. It has three lines for each branch. */
const MAX_BYTES = 8 * 1024 * 1024
