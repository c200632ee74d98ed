import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa, type ResultPromise } from 'execa'
import type { Environment } from '../../io/environment.ts'
import { errnoOf } from '../../io/file-error.ts'
import { cutAtWord, oneLine } from '../../text/line.ts'
import { findGitTop } from '../root.ts'
import { unattendedEnvironment } from './environment.ts'
import { literal, type Status, statusOf } from './index.ts'

export interface CommitRequest {
  root: string
  env: Environment['env']
  /** Files and folders relative to `root`; all that changed below them goes into the commit. */
  paths: readonly string[]
  /** May depend on what is committed; see commitMessage. */
  message: string | ((changed: readonly string[]) => string)
  /** How long hooks and signing together may take, in milliseconds. */
  timeout?: number
}

/** `ignored`: given paths, or some below them, that git was told to leave out; they are never forced in. */
export type CommitOutcome =
  | { committed: string; paths: string[]; ignored: string[] }
  | { notCommitted: string; ignored: string[] }

/**
 * One commit of these paths and no others: whatever else is staged stays staged. Hooks run, signing is done if
 * configured, nobody is asked anything. Never throws: what was saved is saved, and why it is not committed is
 * told in git's own words. Never switches a branch, never pushes, never forces.
 */
export async function commitPaths(request: CommitRequest): Promise<CommitOutcome> {
  const { root, env } = request
  if (findGitTop(root) === undefined)
    return { notCommitted: 'this folder is not in a git repository', ignored: [] }
  let ignored: string[] = []
  try {
    const status = await statusOf({ root, env, paths: request.paths })
    ignored = status.ignored
    const obstacle = (await operationInProgress(root, env)) ?? detached(status.at)
    if (obstacle !== undefined) return { notCommitted: obstacle, ignored }
    const changes = status.changes.filter((change) => !isUntracking(root, change))
    if (changes.length === 0) return { notCommitted: nothingToDo(ignored), ignored }
    const paths = changes.map((change) => change.path)
    await commitChanges(request, changes)
    const committed = (await git(root, env, ['rev-parse', 'HEAD'])).trim()
    return { committed, paths, ignored }
  } catch (error) {
    return { notCommitted: wordsOf(error), ignored }
  }
}

/**
 * The message of a stop: `[conversation] brainstorm: API Design (session state saved)`, without the remark when
 * no session file is in it, and `[session] session update: API Design` when nothing else is. On one line.
 */
export function commitMessage(about: { type: string; title: string; paths: readonly string[] }): string {
  const title = cutAtWord(oneLine(about.title), SUBJECT)
  const session = about.paths.filter((path) => `/${path}`.includes('/.session/')).length
  if (session > 0 && session === about.paths.length) return `[session] session update: ${title}`
  return `[conversation] ${about.type}: ${title}${session > 0 ? ' (session state saved)' : ''}`
}

/** Longer subjects are cut by every reader of a log, and a huge one is more than a command line holds. */
const SUBJECT = 120

/** Why a stop would not commit now, whatever it is that has changed; undefined when it would. Throws git's words. */
export async function commitObstacle(root: string, env: Environment['env']): Promise<string | undefined> {
  const { at } = await statusOf({ root, env, untracked: false })
  return (await operationInProgress(root, env)) ?? detached(at)
}

async function operationInProgress(root: string, env: Environment['env']): Promise<string | undefined> {
  const gitDir = (await git(root, env, ['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '')
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

/** A commit on no branch takes the conversation out of the folder at the next checkout; left alone it stays. */
function detached(at: Status['at']): string | undefined {
  if (at.branch !== undefined) return undefined
  return 'HEAD is detached: a commit here would belong to no branch; switch to a branch, then commit'
}

/** `git rm --cached`: the person has told git to forget a file that stays. A commit of it would track it again. */
function isUntracking(root: string, { path, unindexed }: Status['changes'][number]): boolean {
  return unindexed === true && existsSync(join(root, path))
}

function nothingToDo(ignored: readonly string[]): string {
  return ignored.length > 0 ? `nothing to commit (git ignores ${ignored.join(', ')})` : 'nothing to commit'
}

async function commitChanges(request: CommitRequest, changes: Status['changes']): Promise<void> {
  const { root, env, timeout = 60_000 } = request
  const paths = changes.map((change) => change.path)
  const untracked = changes.filter((change) => change.untracked).map((change) => change.path)
  const message = typeof request.message === 'string' ? request.message : request.message(paths)
  const commit = ['commit', '--only', '--quiet', '--no-status', `--message=${message}`, ...FROM_STDIN]
  for (let tries = 1; ; tries++) {
    // `commit --only` takes tracked paths alone, so the new ones are announced first: name without content.
    if (untracked.length > 0)
      await git(root, env, ['add', '--intent-to-add', ...FROM_STDIN], pathspec(untracked))
    try {
      await git(root, env, commit, pathspec(paths), timeout)
      return
    } catch (error) {
      // Another commit that read the index before the announcement, and wrote it after, has dropped it.
      if (tries < TRIES && /did not match any file/.test(wordsOf(error))) continue
      if (untracked.length > 0) await forget(root, env, untracked)
      throw error
    }
  }
}

const TRIES = 5

const FROM_STDIN = ['--pathspec-from-file=-', '--pathspec-file-nul']

function pathspec(paths: readonly string[]): string {
  return paths.map(literal).join('\0')
}

/** Takes back what was announced. Fails only with the index itself, and then the first failure is the one to tell. */
async function forget(root: string, env: Environment['env'], paths: readonly string[]): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('')
  await git(root, env, ['update-index', '--force-remove', '-z', '--stdin'], input).catch(() => undefined)
}

/** How long to wait for another git that holds the index, in milliseconds. */
const LOCK_PATIENCE = 15_000

async function git(
  root: string,
  env: Environment['env'],
  args: string[],
  input = '',
  timeout = 60_000,
): Promise<string> {
  const deadline = Date.now() + LOCK_PATIENCE
  for (let wait = 30; ; wait = Math.min(wait * 1.5, 400)) {
    try {
      return await run(root, args, { env: unattendedEnvironment(env), input, timeout })
    } catch (error) {
      const locked = /index\.lock|cannot lock ref/.test(wordsOf(error))
      if (!locked || Date.now() + wait > deadline) throw error
    }
    // Several who wait for the same lock must not come back at the same moment.
    await sleep(wait * (0.5 + Math.random()))
  }
}

/**
 * In a session of its own, so that no terminal is there to be asked on, and hooks with all that they started can
 * be ended together when the time is over.
 */
async function run(
  root: string,
  args: string[],
  options: { env: Environment['env']; input: string; timeout: number },
): Promise<string> {
  const child = execa('git', args, {
    cwd: root,
    env: options.env,
    extendEnv: false,
    input: options.input,
    stripFinalNewline: false,
    detached: OWN_SESSION,
    windowsHide: true,
  })
  let expired = false
  const timers = [
    setTimeout(() => {
      expired = true
      end(child, 'SIGTERM')
    }, options.timeout),
    setTimeout(() => end(child, 'SIGKILL'), options.timeout + GRACE),
  ]
  try {
    return (await child).stdout
  } catch (error) {
    if (!expired) throw error
    throw new Error(`git ${args[0]} took longer than ${options.timeout / 1000} s and was stopped`, {
      cause: error,
    })
  } finally {
    timers.forEach(clearTimeout)
  }
}

/** On Windows a process of its own session would open a window. */
const OWN_SESSION = process.platform !== 'win32'
/** Time for git to take its lock files away, in milliseconds. */
const GRACE = 1500

function end(child: ResultPromise, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (OWN_SESSION && child.pid !== undefined) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch (error) {
    // It ended by itself in this very moment.
    if (errnoOf(error) !== 'ESRCH') throw error
  }
}

/** What git, or a hook of it, said; never more than the last 2,000 characters. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = ['stderr', 'stdout'].map((stream) => String(Reflect.get(error, stream) ?? '').trim())
  const words = said.filter((text) => text !== '').join('\n') || error.message
  return words.trim().slice(-2000)
}
