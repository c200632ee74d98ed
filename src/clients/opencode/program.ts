import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { type Fields, fieldsOf } from '../transcript/fields.ts'
import { dataFolder } from './data-folder.ts'
import { removeDeadLocks } from './locks.ts'

/** The longest that an `opencode` command may take. It takes about a second, and a few on a busy machine. */
const TIMEOUT_MS = 60_000

/**
 * Runs an `opencode` command without plugins and returns what it printed. Undefined when it failed or took too long.
 */
export function askOpenCode(
  environment: Environment,
  cwd: string,
  args: readonly string[],
  timeout = TIMEOUT_MS,
): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-'))
  const output = join(folder, 'output')
  // OpenCode writes into a file, because output to a pipe is cut at a multiple of 64 KiB, with exit code 0 (1.18.33).
  const file = openSync(output, 'wx', 0o600)
  removeDeadLocks(environment)
  try {
    const { status } = spawnSync('opencode', args, {
      cwd: existsSync(cwd) ? cwd : environment.cwd,
      // Without this OpenCode would wait for npm when the machine is offline, with or without plugins.
      env: { ...environment.env, npm_config_offline: 'true', OPENCODE_PURE: '1' },
      stdio: ['ignore', file, 'ignore'],
      timeout,
    })
    return status === 0 ? readFileSync(output, 'utf8') : undefined
  } finally {
    removeDeadLocks(environment)
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A session as OpenCode gives it out: `export` belongs to OpenCode 1, `session export` to OpenCode 2, and what the
 * other one says is no session. Each takes a second. Undefined where OpenCode does not have the session, or never ran;
 * then it is not asked.
 */
export function sessionFromOpenCode(environment: Environment, cwd: string, id: string): Fields | undefined {
  if (!existsSync(join(dataFolder(environment), 'opencode'))) return undefined
  for (const command of [['export'], ['session', 'export']]) {
    const session = fieldsOf(parse(askOpenCode(environment, cwd, [...command, id])))
    if (fieldsOf(session.info).id === id) return session
  }
  return undefined
}

function parse(output = 'null'): unknown {
  try {
    return JSON.parse(output)
  } catch {
    // The output is not JSON but another version's words for "no such command".
    return undefined
  }
}
