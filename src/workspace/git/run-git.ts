import { setTimeout as sleep } from 'node:timers/promises'
import { simpleGit } from 'simple-git'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram, pathOf } from '../../io/program.ts'
import { type Answer, askProgram, askProgramSync } from '../../io/run.ts'
import { indexLock } from './index-lock.ts'
import { commandIn, environmentFor, isWriting, ownVariables, withOwnSettings } from './own-settings.ts'

/**
 * Runs all git commands but one, a check in repository.ts. Each git gets our settings, a clean environment and a time
 * limit. simple-git runs the commands that only read. execa (io/run.ts) runs those that write, because hooks need a
 * session of their own, and those whose output is bytes.
 */

/** Where git works: `root` is a folder in a work tree. A Workspace is one. */
export interface WorkTree {
  readonly root: string
  readonly environment: Pick<Environment, 'env'>
  /** `root` is a bare repository. Git accepts none that it is not told of. */
  readonly isBare?: true
}

/**
 * Runs git and returns its output. Rejects with git's error message. If a reading command fails without a message, such
 * as `check-ignore` that finds nothing, its output is returned.
 */
export async function git(tree: WorkTree, args: string[], input = '', timeout = 60_000): Promise<string> {
  if (isWriting(args)) return (await write(tree, args, input, timeout)).toString('utf8')
  const settings = COMPARE_FILES.has(commandIn(args) ?? '') ? await filtersOff(tree) : []
  return read(tree, [...settings, ...args], input, timeout)
}

/** Commands that compare files of the work tree. They would run filters. */
const COMPARE_FILES = new Set(['status', 'diff'])

/**
 * The settings that turn off all filters in git's configuration. They come before git's command. A file of the work
 * tree (`.gitattributes`) chooses the filters, and many filters run what other files there say. Rejects with git's
 * error message.
 */
export async function filtersOff(tree: WorkTree): Promise<string[]> {
  const off = ['clean=', 'process=', 'required=false']
  const names = await filterNames(tree)
  return names.flatMap((name) => off.flatMap((setting) => ['-c', `filter.${name}.${setting}`]))
}

/** The names of the filters in git's configuration. Rejects with git's error message. */
export async function filterNames(tree: WorkTree): Promise<string[]> {
  const keys = await read(tree, ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'])
  return [...new Set(keys.split('\0').flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))]
}

async function read(tree: WorkTree, args: string[], input = '', timeout = 60_000): Promise<string> {
  const { env } = tree.environment
  const clean = environmentFor(args, env)
  try {
    return await simpleGit({
      baseDir: tree.root,
      binary: pathOf('git', env),
      allowEnvironment: Object.keys(clean),
      timeout: { block: timeout },
      // The library refuses these settings as unsafe. Our settings only turn things off.
      unsafe: {
        allowUnsafeCustomBinary: true,
        allowUnsafeFilter: true,
        allowUnsafeFsMonitor: true,
        allowUnsafeHooksPath: true,
        allowUnsafeProtocolOverride: true,
      },
      ...(input === '' ? {} : { input: () => input }),
    })
      .env(clean)
      .raw(withOwnSettings(args))
  } catch (error) {
    const { message } = error as Error
    // If the system cannot start a process, the library fails with a TypeError when it reads the pipes of that process.
    if (error instanceof TypeError || /spawn \S*git\S* ENOENT/.test(message)) throw notStarted(tree)
    throw failed(message, error)
  }
}

/** Runs a git command that writes. If another git has locked the index, waits until it is done. */
async function write(tree: WorkTree, args: string[], input: string, timeout: number): Promise<Buffer> {
  const deadline = Date.now() + LOCK_PATIENCE_MS
  for (let wait = 30; ; wait = Math.min(wait * 1.5, 400)) {
    try {
      return await gitBytes(tree, args, input, timeout)
    } catch (error) {
      if (!isLocked(error) || Date.now() + wait > deadline) throw error
      // A killed git has left this lock, so waiting is useless.
      if (indexLock(tree.root)?.leftOver === true) throw error
    }
    // Processes that wait for the same lock must not all try again at the same moment.
    await sleep(wait * (0.5 + Math.random()))
  }
}

const LOCK_PATIENCE_MS = 15_000

/** Runs a git command and returns its output as bytes. Rejects with what git or one of its hooks printed. */
export async function gitBytes(
  tree: WorkTree,
  args: string[],
  input = '',
  timeoutMs = 60_000,
): Promise<Buffer> {
  const { root, environment } = tree
  const answer = await askProgram(pathOf('git', environment.env), withOwnSettings(args), {
    env: variablesFor(tree, args),
    cwd: root,
    ...{ input, timeoutMs, maxBytes: MAX_OUTPUT_BYTES },
  })
  return printedBy(answer, tree, args, timeoutMs)
}

/**
 * Like `gitBytes`, but synchronous. For git that runs while a lock is held; it asks nobody, and no hook runs. Throws
 * `unreadable` if it prints more than `maxBytes`.
 */
export function gitNow(
  tree: WorkTree,
  args: string[],
  input: string | Buffer = '',
  maxBytes = MAX_OUTPUT_BYTES,
): Buffer {
  const { root, environment } = tree
  const timeoutMs = 10 * 60_000
  const answer = askProgramSync(pathOf('git', environment.env), withOwnSettings(args), {
    env: variablesFor(tree, args),
    cwd: root,
    ...{ input, timeoutMs, maxBytes },
  })
  return printedBy(answer, tree, args, timeoutMs)
}

function variablesFor({ root, environment, isBare }: WorkTree, args: string[]): Record<string, string> {
  return { ...environmentFor(args, environment.env), ...(isBare && ownVariables(root, args)) }
}

function printedBy(answer: Answer, tree: WorkTree, args: string[], timeoutMs: number): Buffer {
  if (answer === 'cannot be started') throw notStarted(tree)
  if (answer === 'hangs')
    throw failed(`git ${commandIn(args)} took longer than ${timeoutMs / 1000} s and was stopped`)
  if (answer === 'prints too much')
    throw new CortextError('unreadable', `git ${commandIn(args)} printed more than is read, and was ended`)
  const { code, stdout, stderr } = answer
  if (code === 0) return stdout
  const printed = [stderr, stdout.toString('utf8')].map((text) => text.trim()).filter(Boolean)
  throw failed(printed.join('\n') || `git ${commandIn(args)} ended with ${code ?? 'a signal'}`)
}

/** The most bytes that one git may print. All versions of thousands of files are fewer. */
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024

/** The error of a git that failed. It is not ours: git or its files are not as they should be here. */
function failed(message: string, cause?: unknown): CortextError {
  return new CortextError('git', shortened(message.trim()), { fix: 'git status', cause })
}

/** The beginning has the error where git prints its usage after it; the end has it where hooks print much before. */
function shortened(text: string): string {
  return text.length <= 2 * PART ? text : `${text.slice(0, PART)}\n…\n${text.slice(-PART)}`
}

const PART = 1000

function notStarted({ environment }: WorkTree): Error {
  if (findProgram('git', environment.env) !== undefined)
    return new Error('git could not be started; see: ulimit -n')
  return new CortextError('git', 'git is not on PATH', { fix: 'install git, or put it on PATH' })
}

/** Whether git could not write because of the lock of another git. */
export function isLocked(error: unknown): boolean {
  return /index\.lock|cannot lock ref/.test(String(error))
}
