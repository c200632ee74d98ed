import { setTimeout as sleep } from 'node:timers/promises'
import { execa, type ResultPromise } from 'execa'
import { simpleGit } from 'simple-git'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { errnoOf } from '../../io/file-error.ts'
import { commandNamed } from '../../io/program.ts'
import { indexLock } from './index-file.ts'
import { commandIn, environmentFor, isWriting, withOwnSettings } from './own-settings.ts'

/**
 * Runs all git commands but one, a check in repository.ts. Each git gets our settings, a clean environment and a time
 * limit. simple-git runs the commands that only read. execa runs those that write, because hooks need a session of
 * their own, and those whose output is bytes.
 */

/**
 * Runs git and returns its output. Rejects with git's error message. If a reading command fails without a message, such
 * as `check-ignore` that finds nothing, its output is returned.
 */
export async function git(
  root: string,
  env: Environment['env'],
  args: string[],
  input = '',
  timeout = 60_000,
): Promise<string> {
  if (isWriting(args)) return (await write(root, env, args, { input, timeout })).toString('utf8')
  const settings = COMPARE_FILES.has(commandIn(args) ?? '') ? await filtersOff(root, env) : []
  return read(root, env, [...settings, ...args], input, timeout)
}

/** Commands that compare files of the work tree. They would run filters. */
const COMPARE_FILES = new Set(['status', 'diff'])

/**
 * The settings that turn off all filters in git's configuration. They come before git's command. A file of the work
 * tree (`.gitattributes`) chooses the filters, and many filters run what other files there say. Rejects with git's
 * error message.
 */
export async function filtersOff(root: string, env: Environment['env']): Promise<string[]> {
  const off = ['clean=', 'process=', 'required=false']
  const names = await filterNames(root, env)
  return names.flatMap((name) => off.flatMap((setting) => ['-c', `filter.${name}.${setting}`]))
}

/** The names of the filters in git's configuration. Rejects with git's error message. */
export async function filterNames(root: string, env: Environment['env']): Promise<string[]> {
  const keys = await read(root, env, ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'])
  return [...new Set(keys.split('\0').flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []))]
}

async function read(
  root: string,
  env: Environment['env'],
  args: string[],
  input = '',
  timeout = 60_000,
): Promise<string> {
  const clean = environmentFor(args, env)
  try {
    return await simpleGit({
      baseDir: root,
      binary: commandNamed('git', [], env).file,
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
    // If the system cannot start a process, the library fails with a TypeError when it reads the pipes of that process.
    if (error instanceof TypeError)
      throw new Error('git could not be started; see: ulimit -n', { cause: error })
    throw failedGit(error)
  }
}

/** Runs a git command that only reads, and returns its output as bytes. Rejects with git's error message. */
export function gitBytes(
  root: string,
  env: Environment['env'],
  args: string[],
  input = '',
  timeout = 60_000,
): Promise<Buffer> {
  return run(root, env, args, { input, timeout })
}

/** Runs a git command that writes. If another git has locked the index, waits until it is done. */
async function write(root: string, env: Environment['env'], args: string[], limits: Limits): Promise<Buffer> {
  const deadline = Date.now() + LOCK_PATIENCE_MS
  for (let wait = 30; ; wait = Math.min(wait * 1.5, 400)) {
    try {
      return await run(root, env, args, limits)
    } catch (error) {
      if (!isLocked(error) || Date.now() + wait > deadline) throw error
      // A killed git has left this lock, so waiting is useless.
      if (indexLock(root)?.leftOver === true) throw error
    }
    // Processes that wait for the same lock must not all try again at the same moment.
    await sleep(wait * (0.5 + Math.random()))
  }
}

const LOCK_PATIENCE_MS = 15_000

interface Limits {
  input: string
  /** In milliseconds. */
  timeout: number
}

/**
 * Runs git in a session of its own. So it has no terminal for asking, and when the time is over, hooks and all
 * processes that they started can be ended together.
 */
async function run(
  root: string,
  env: Environment['env'],
  args: string[],
  { input, timeout }: Limits,
): Promise<Buffer> {
  const { file, args: words } = commandNamed('git', withOwnSettings(args), env)
  const child = execa(file, words, {
    cwd: root,
    env: environmentFor(args, env),
    extendEnv: false,
    input,
    encoding: 'buffer',
    maxBuffer: MAX_OUTPUT_BYTES,
    stripFinalNewline: false,
    detached: OWN_SESSION,
    windowsHide: true,
  })
  let expired = false
  const timers = [
    setTimeout(() => {
      expired = true
      end(child, 'SIGTERM')
    }, timeout),
    setTimeout(() => end(child, 'SIGKILL'), timeout + GRACE_MS),
  ]
  try {
    return Buffer.from((await child).stdout)
  } catch (error) {
    if (!expired) throw failedGit(error)
    const message = `git ${commandIn(args)} took longer than ${timeout / 1000} s and was stopped`
    throw new Error(message, { cause: error })
  } finally {
    timers.forEach(clearTimeout)
  }
}

/** The error of a git that failed, with its message. It is not ours: git or its files are not as they should be here. */
function failedGit(error: unknown): CortextError {
  const message = gitMessage(error)
  return /spawn \S*git\S* ENOENT/.test(message)
    ? new CortextError('git', 'git is not on PATH', { fix: 'install git, or put it on PATH', cause: error })
    : new CortextError('git', message, { fix: 'git status', cause: error })
}

/** The most bytes that one git may print. All versions of thousands of files are fewer. */
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024

/** On Windows, a process in a session of its own would open a window. */
const OWN_SESSION = process.platform !== 'win32'
/** How long git may take after SIGTERM to remove its lock files. */
const GRACE_MS = 1500

function end(child: ResultPromise, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (OWN_SESSION && child.pid !== undefined) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch (error) {
    // The process has just ended by itself.
    if (errnoOf(error) !== 'ESRCH') throw error
  }
}

/** Whether git could not write because of the lock of another git. */
export function isLocked(error: unknown): boolean {
  return /index\.lock|cannot lock ref/.test(gitMessage(error))
}

/** The last 2,000 characters that git or one of its hooks printed. */
export function gitMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const printed = ['stderr', 'stdout'].map((stream) => decode(Reflect.get(error, stream)).trim())
  const text = printed.filter((part) => part !== '').join('\n') || error.message
  return text.trim().slice(-2000)
}

function decode(output: unknown): string {
  return output instanceof Uint8Array ? Buffer.from(output).toString('utf8') : String(output ?? '')
}
