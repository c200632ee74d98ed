import { setTimeout as sleep } from 'node:timers/promises'
import { execa, type ResultPromise } from 'execa'
import type { Environment } from '../../io/environment.ts'
import { errnoOf } from '../../io/file-error.ts'
import { unattendedEnvironment } from './environment.ts'
import { indexLock } from './index-lock.ts'
import { commandIn, withOwnSettings } from './own-settings.ts'

/** How long to wait for another git that holds the index, in milliseconds. */
const LOCK_PATIENCE = 15_000

/** Runs git where it may write, with a clean environment and within a time limit. Rejects with git's words. */
export async function git(
  root: string,
  env: Environment['env'],
  args: string[],
  input = '',
  timeout = 60_000,
): Promise<string> {
  return (await gitBytes(root, env, args, input, timeout)).toString('utf8')
}

/** The same for what need not be text. */
export async function gitBytes(
  root: string,
  env: Environment['env'],
  args: string[],
  input = '',
  timeout = 60_000,
): Promise<Buffer> {
  const deadline = Date.now() + LOCK_PATIENCE
  for (let wait = 30; ; wait = Math.min(wait * 1.5, 400)) {
    try {
      return await run(root, args, { env: environmentFor(args, env), input, timeout })
    } catch (error) {
      if (!isLocked(error) || Date.now() + wait > deadline) throw error
      // Nobody will ever remove it.
      if (indexLock(root)?.leftOver === true) throw error
    }
    // Processes that wait for the same lock must not come back at the same moment.
    await sleep(wait * (0.5 + Math.random()))
  }
}

/** Whether git could not write because another one may be writing. */
export function isLocked(error: unknown): boolean {
  return /index\.lock|cannot lock ref/.test(gitMessage(error))
}

/** Without optional locks a question does not even refresh the index, and never blocks a git that writes. */
function environmentFor(args: readonly string[], env: Environment['env']): Record<string, string> {
  const clean = unattendedEnvironment(env)
  return WRITES.has(commandIn(args) ?? '') ? clean : { ...clean, GIT_OPTIONAL_LOCKS: '0' }
}

/** What hooks inherit from a commit is git's own. */
const WRITES = new Set(['add', 'commit', 'update-index'])

/**
 * Runs git in a session of its own. There is no terminal to ask on, and when the time is over, hooks can be ended
 * together with everything they started.
 */
async function run(
  root: string,
  args: string[],
  options: { env: Environment['env']; input: string; timeout: number },
): Promise<Buffer> {
  const child = execa('git', withOwnSettings(args), {
    cwd: root,
    env: options.env,
    extendEnv: false,
    input: options.input,
    encoding: 'buffer',
    maxBuffer: MOST_BYTES,
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
    return Buffer.from((await child).stdout)
  } catch (error) {
    if (!expired) throw error
    const late = `git ${commandIn(args)} took longer than ${options.timeout / 1000} s and was stopped`
    throw new Error(late, { cause: error })
  } finally {
    timers.forEach(clearTimeout)
  }
}

/** What git may say at once: all versions of thousands of files. */
const MOST_BYTES = 1024 * 1024 * 1024

/** On Windows a process with its own session would open a window. */
const OWN_SESSION = process.platform !== 'win32'
/** The time that git has to remove its lock files, in milliseconds. */
const GRACE = 1500

function end(child: ResultPromise, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (OWN_SESSION && child.pid !== undefined) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch (error) {
    // The process ended by itself at this very moment.
    if (errnoOf(error) !== 'ESRCH') throw error
  }
}

/** What git or one of its hooks said, at most the last 2,000 characters. */
export function gitMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = ['stderr', 'stdout'].map((stream) => decoded(Reflect.get(error, stream)).trim())
  const words = said.filter((text) => text !== '').join('\n') || error.message
  return words.trim().slice(-2000)
}

function decoded(said: unknown): string {
  return said instanceof Uint8Array ? Buffer.from(said).toString('utf8') : String(said ?? '')
}
