import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathInside } from '../../io/inside.ts'
import { findProgram } from '../../io/program.ts'
import { withSlashes } from '../../io/slashes.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { findRefused } from '../repository.ts'
import { findGitTop } from '../root.ts'
import { isSparse } from '../sparse.ts'
import { literal, type Status, statusOf } from './index.ts'
import { describeLock, indexLock } from './index-lock.ts'
import { configurationInTree, conversionOf, hooksOf, NO_HOOKS } from './programs-it-runs.ts'
import { filtersOff, git, isLocked, type WorkTree } from './run-git.ts'

export interface CommitRequest extends WorkTree {
  /** Files and folders relative to `root`. The commit contains all changes of these files and below these folders. */
  paths: readonly string[]
  /** The message, or a function that makes it from the committed paths; see commitMessage. */
  message: string | ((changed: readonly string[]) => string)
  /**
   * False for a commit that no person was asked about. Then files of the work tree must not decide which programs run:
   * hooks do not run, and there is no commit if git's configuration comes from the work tree or a filter applies.
   */
  hooks?: boolean
  /** How long the commit may take, with hooks and signing, in milliseconds. */
  timeout?: number
  /** Is called once if the commit takes long: a hook runs, or a program that signs waits. */
  onWaiting?: (() => void) | undefined
}

/**
 * `ignored`: what git ignores at and below the paths; the commit does not contain it. `withoutHooks`: the hooks that
 * did not run because `hooks` is false. `besides`: other files that hooks have put into the commit, from the top of the
 * work tree. `unlike`: files that differ from the commit, because hooks have changed one of the two.
 */
export type CommitOutcome =
  | {
      committed: string
      paths: string[]
      ignored: string[]
      withoutHooks?: string[]
      besides?: string[]
      unlike?: string[]
    }
  /**
   * `chosen`: the person or the settings want no commit, or the person knows the reason already. `first`: what a person
   * must do before the commit is possible. `later`: a command with which the person commits the same in a terminal, where
   * hooks and the program that signs may ask.
   */
  | { notCommitted: string; chosen?: true; first?: string; later?: string; ignored: string[] }

/**
 * Commits the changes of these paths and no others. What else the person has staged stays staged. Git signs if it is
 * configured to, and asks no questions. Never throws, because the conversation is already saved; the outcome contains
 * git's error message. Never switches a branch, never pushes, never forces.
 */
export async function commitPaths(request: CommitRequest): Promise<CommitOutcome> {
  const { root } = request
  if (findGitTop(root) === undefined) {
    const found = findRefused(root)
    return found === undefined
      ? { notCommitted: 'this folder is not in a git repository', ignored: [] }
      : { notCommitted: found.refused, first: found.fix, ignored: [] }
  }
  if (findProgram('git', request.environment.env) === undefined)
    return { notCommitted: 'git is not on PATH', first: 'install git, or put it on PATH', ignored: [] }
  let ignored: string[] = []
  let later: string | undefined
  try {
    const status = await statusOf(request, { paths: request.paths })
    ignored = status.ignored
    const obstacle =
      (await operationInProgress(request)) ??
      detached(status.at) ??
      (request.hooks === false ? await configurationInTree(request) : undefined)
    if (obstacle !== undefined) return { notCommitted: obstacle, ignored }
    const changes = status.changes.filter(
      (change) => !isUntracking(root, change) && !isAttachment(change.path),
    )
    if (changes.length === 0) return { notCommitted: nothingToDo(ignored), ignored }
    const paths = changes.map((change) => change.path)
    const conversion = await conversionOf(request, paths, { unasked: request.hooks === false })
    if (conversion !== undefined) return { notCommitted: conversion, ignored }
    // If a link is in the place of a folder, `commit --only` commits the files of the link's target (seen in git
    // 2.39.5).
    for (const path of paths) if (path.includes('/')) pathInside(root, dirname(path))
    later = inTerminal(request, paths)
    await commitChanges(request, changes)
    const committed = (await git(request, ['rev-parse', 'HEAD'])).trim()
    const hooks = await hooksOf(request)
    if (hooks.length === 0) return { committed, paths, ignored }
    const report = request.hooks === false ? { withoutHooks: hooks } : await changedByHooks(request, paths)
    return { committed, paths, ignored, ...report }
  } catch (error) {
    const { message } = error as Error
    // Git prints its usage then. A hook may say the first of it too.
    if (/unknown (?:option|switch).*\nusage: git /.test(message))
      return {
        notCommitted: 'git is too old',
        first: 'install git 2.25 or newer; see: git --version',
        ignored,
      }
    const lock = isLocked(error) ? indexLock(root) : undefined
    if (lock === undefined) return { notCommitted: message, ...(later && { later }), ignored }
    const { what, fix } = describeLock(lock, new Date())
    return { notCommitted: what, first: fix, ignored }
  }
}

/** The commit as a line to paste. A commit takes only tracked files, so the new ones are added first. */
function inTerminal({ root, paths: given, ...request }: CommitRequest, changed: readonly string[]): string {
  const message = typeof request.message === 'string' ? request.message : request.message(changed)
  const paths = given.map((path) => paste`${path}`).join(' ')
  const parts = message.split('\n\n').map((part) => paste`-m ${part}`)
  return `${paste`cd ${root}`} && git add ${paths} && git commit ${parts.join(' ')} -- ${paths}`
}

/**
 * Finds what hooks have changed: compares the new commit with `paths` and with the files. Rejects with git's error
 * message.
 */
async function changedByHooks(request: CommitRequest, paths: readonly string[]) {
  const names = ['diff-tree', '--root', '--no-commit-id', '--name-only', '--no-renames', '-r', '-z', 'HEAD']
  const committed = (await git(request, names)).split('\0').filter(Boolean)
  const below = relative(findGitTop(request.root) ?? request.root, request.root)
  const ours = new Set(paths.map((path) => withSlashes(join(below, path))))
  const besides = committed.filter((path) => !ours.has(path))
  const { changes } = await statusOf(request, { paths: request.paths })
  const unlike = changes.filter(({ path }) => paths.includes(path)).map(({ path }) => path)
  return { ...(besides.length > 0 ? { besides } : {}), ...(unlike.length > 0 ? { unlike } : {}) }
}

/**
 * The message of a stop. Its first line is `[conversation] brainstorm: API Design (session state saved)`; without files
 * of `.session/`, the parentheses are left out. If all files are in `.session/`, it is `[session] session update: API
 * Design`. The last line is the trailer `Conversation: <date>/<id>`; see conversationTrailer.
 */
export function commitMessage(about: {
  type: string
  title: string
  paths: readonly string[]
  trailer?: string
}): string {
  const subject = subjectOf(about)
  return about.trailer === undefined ? subject : `${subject}\n\n${oneLine(about.trailer)}`
}

function subjectOf(about: { type: string; title: string; paths: readonly string[] }): string {
  const title = cutAtWord(withoutForgeWords(oneLine(about.title)), MAX_SUBJECT_LENGTH)
  const session = about.paths.filter((path) => `/${path}`.includes('/.session/')).length
  if (session > 0 && session === about.paths.length) return `[session] session update: ${title}`
  return `[conversation] ${about.type}: ${title}${session > 0 ? ' (session state saved)' : ''}`
}

/**
 * Writes a title in a form in which no forge acts on it when the commit is pushed: closes an issue (`Closes #1`),
 * informs somebody (`@name`) or skips the checks (`[skip ci]`).
 */
function withoutForgeWords(title: string): string {
  return title
    .replace(/\[/g, '(')
    .replace(/\]/g, ')')
    .replace(/[@#](?=[\p{L}\p{N}_])|\bGH-(?=\d)|:(?=\/\/)/giu, '$& ')
}

/** Programs that show logs cut longer lines, and a command line cannot contain a very long one. */
const MAX_SUBJECT_LENGTH = 120

/** Why no commit is possible now, independent of the changes; undefined if one is. Rejects with git's error message. */
export async function commitObstacle(tree: WorkTree): Promise<string | undefined> {
  const { at } = await statusOf(tree, { untracked: false })
  return (await operationInProgress(tree)) ?? detached(at)
}

async function operationInProgress(tree: WorkTree): Promise<string | undefined> {
  const gitDir = (await git(tree, ['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '')
  const found = IN_PROGRESS.find(([file]) => existsSync(join(gitDir, file)))
  return found && `${found[1]} is in progress; finish it, then commit`
}

const IN_PROGRESS = [
  ['MERGE_HEAD', 'a merge'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
] as const

/**
 * After a commit on no branch, the next checkout would remove the conversation from the work tree. An uncommitted
 * conversation stays.
 */
function detached(at: Status['at']): string | undefined {
  if (at.branch !== undefined) return undefined
  return 'HEAD is detached: a commit here would belong to no branch; switch to a branch, then commit'
}

/**
 * Whether a file is an attachment. Attachments stay on this machine, also where a `.gitignore` of a clone takes our
 * ignore rule back.
 */
function isAttachment(path: string): boolean {
  return `/${path}`.includes('/.session/attachments/')
}

/**
 * Whether the person has told git to forget this file and keep it on disk (`git rm --cached`). `commit --only` would
 * track it again.
 */
function isUntracking(root: string, { path, unindexed }: Status['changes'][number]): boolean {
  return unindexed === true && existsSync(join(root, path))
}

/** Why a commit is missing when nothing has changed. */
export const NOTHING_TO_COMMIT = 'nothing to commit'

function nothingToDo(ignored: readonly string[]): string {
  return ignored.length > 0 ? `${NOTHING_TO_COMMIT} (git ignores ${ignored.join(', ')})` : NOTHING_TO_COMMIT
}

async function commitChanges(request: CommitRequest, changes: Status['changes']): Promise<void> {
  const { root, timeout = 60_000, onWaiting } = request
  const paths = changes.map((change) => change.path)
  const untracked = changes.filter((change) => change.untracked).map((change) => change.path)
  const message = typeof request.message === 'string' ? request.message : request.message(paths)
  // Otherwise git refuses to add what a sparse checkout leaves out.
  const outside = isSparse(root) ? ['--sparse'] : []
  const commit = [
    ...(request.hooks === false ? [...NO_HOOKS, ...(await filtersOff(request))] : []),
    'commit',
    '--only',
    '--quiet',
    '--no-status',
    `--message=${message}`,
    ...FROM_STDIN,
  ]
  for (let tries = 1; ; tries++) {
    // `commit --only` takes only tracked files. So the names of new files, without their content, are added to the
    // index first.
    if (untracked.length > 0)
      await git(request, ['add', '--intent-to-add', ...outside, ...FROM_STDIN], pathspec(untracked))
    const waiting = onWaiting && setTimeout(onWaiting, LONG_MS)
    try {
      await git(request, commit, pathspec(paths), timeout)
      return
    } catch (error) {
      // Another git has read the index before this one added the names, and has written it back without them.
      if (tries < MAX_TRIES && /did not match any file/.test((error as Error).message)) continue
      if (untracked.length > 0) await removeIntentToAdd(request, untracked)
      throw error
    } finally {
      clearTimeout(waiting)
    }
  }
}

const MAX_TRIES = 5
/** After this time a person wonders what the program waits for. */
const LONG_MS = 3_000

const FROM_STDIN = ['--pathspec-from-file=-', '--pathspec-file-nul']

function pathspec(paths: readonly string[]): string {
  return paths.map(literal).join('\0')
}

/**
 * Removes the added names from the index again. A failure is ignored, because the caller reports why the commit failed.
 */
async function removeIntentToAdd(tree: WorkTree, paths: readonly string[]): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('')
  await git(tree, ['update-index', '--force-remove', '-z', '--stdin'], input).catch(() => undefined)
}
