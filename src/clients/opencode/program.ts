import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { isRunning } from '../../io/process.ts'
import { commandNamed } from '../../io/program.ts'
import { makeTemporaryFolder } from '../../io/temporary-folder.ts'
import { type Fields, fieldsOf, jsonIn } from '../shared/transcript/fields.ts'
import { namesIn } from '../shared/transcript/session-files.ts'
import { dataFolder } from './data-folder.ts'

/** The longest wait for an `opencode` command. A command usually takes about a second, and longer on a busy machine. */
const TIMEOUT_MS = 60_000

/**
 * Runs an `opencode` command without plugins and returns what it printed. Undefined when it failed or took too long.
 */
export function askOpenCode(
  environment: Environment,
  cwd: string,
  args: readonly string[],
  timeout?: number,
): string | undefined {
  return runOpenCode(environment, cwd, args, timeout).output
}

/** What a command printed. `output` is absent if the command failed or took too long. */
interface Answer {
  output?: string
  errors: string
}

function runOpenCode(
  environment: Environment,
  cwd: string,
  args: readonly string[],
  timeout = TIMEOUT_MS,
): Answer {
  const folder = makeTemporaryFolder()
  const path = join(folder, 'output')
  // OpenCode writes into a file, because output to a pipe is cut at a multiple of 64 KiB, with exit code 0 (1.18.33).
  const file = openSync(path, 'wx', 0o600)
  removeDeadLocks(environment)
  try {
    const command = commandNamed('opencode', args, environment.env)
    const { status, stderr } = spawnSync(command.file, command.args, {
      cwd: existsSync(cwd) ? cwd : environment.cwd,
      // Without this OpenCode would wait for npm when the machine is offline, with or without plugins.
      env: { ...environment.env, npm_config_offline: 'true', OPENCODE_PURE: '1' },
      stdio: ['ignore', file, 'pipe'],
      encoding: 'utf8',
      windowsHide: true,
      windowsVerbatimArguments: command.verbatim,
      timeout,
    })
    return status === 0 ? { output: readFileSync(path, 'utf8'), errors: stderr } : { errors: stderr ?? '' }
  } finally {
    removeDeadLocks(environment)
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Returns a session as OpenCode exports it, which takes a second or two. Undefined where OpenCode does not export such
 * a session. OpenCode is not asked if it never ran.
 */
export function sessionFromOpenCode(environment: Environment, cwd: string, id: string): Fields | undefined {
  const answer = askForSession(environment, cwd, id)
  return typeof answer === 'string' ? undefined : answer
}

/**
 * Asks OpenCode for a session. Returns `missing` if OpenCode never ran or says that there is no such session. Returns
 * `unknown` if OpenCode failed, for example because another process was using its database.
 */
export function askForSession(
  environment: Environment,
  cwd: string,
  id: string,
): Fields | 'missing' | 'unknown' {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return 'missing'
  const { output, errors } = runOpenCode(environment, cwd, ['export', id])
  const session = fieldsOf(jsonIn(output ?? ''))
  if (fieldsOf(session.info).id === id) return session
  return /not found/i.test(errors) ? 'missing' : 'unknown'
}

/**
 * Removes the locks of processes of this machine that have ended. OpenCode holds a lock while it installs what plugins
 * might need, also at the end of its start. If OpenCode ends or is killed in that time, the lock stays. A headless run
 * often ends in that time. Without this function, the next start would wait until the lock is a minute old (1.18.33).
 * Never throws.
 */
export function removeDeadLocks(environment: Environment): void {
  const folder = join(
    environment.env.XDG_STATE_HOME || join(environment.home, '.local', 'state'),
    'opencode',
    'locks',
  )
  for (const name of namesIn(folder, '.lock')) if (isDead(join(folder, name))) remove(join(folder, name))
}

function isDead(lock: string): boolean {
  const meta = join(lock, 'meta.json')
  try {
    // If a process was killed while it made the lock, the lock lacks this file.
    if (!existsSync(meta)) return Date.now() - statSync(lock).mtimeMs > MAKING_MS
    const { pid, hostname: host } = fieldsOf(JSON.parse(readFileSync(meta, 'utf8')))
    return host === hostname() && typeof pid === 'number' && pid > 0 && !isRunning(pid)
  } catch {
    // The lock is being removed, or its content is unknown. OpenCode itself removes it within a minute.
    return false
  }
}

/**
 * A lock without `meta.json` counts as dead when it is older than this. OpenCode makes a lock in a millisecond or two,
 * or more on a busy machine.
 */
const MAKING_MS = 1_000

function remove(lock: string): void {
  try {
    rmSync(lock, { recursive: true, force: true })
  } catch {
    // Another start removed it first, or this user may not remove it. Then OpenCode waits.
  }
}
