import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../io/place.ts'

const TIMEOUT_MS = 60_000

/** Where OpenCode keeps its own data. */
export function dataFolder(place: Place): string {
  return place.env.XDG_DATA_HOME || join(place.home, '.local', 'share')
}

/**
 * The JSON that an `opencode` command prints, undefined when it fails or prints none. Into a file: what it prints to
 * a pipe is cut at a multiple of 64 KiB, with exit code 0 (1.18.33).
 */
export function jsonFromOpenCode(place: Place, cwd: string, args: readonly string[]): unknown {
  if (!existsSync(join(dataFolder(place), 'opencode'))) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'cortext-'))
  const output = join(folder, 'output')
  const file = openSync(output, 'wx', 0o600)
  try {
    const { status } = spawnSync('opencode', args, {
      cwd: existsSync(cwd) ? cwd : place.cwd,
      // --pure leaves plugins out, ours too; offline it would wait for npm all the same.
      env: { ...place.env, npm_config_offline: 'true' },
      stdio: ['ignore', file, 'ignore'],
      timeout: TIMEOUT_MS,
    })
    return status === 0 ? JSON.parse(readFileSync(output, 'utf8')) : undefined
  } catch {
    // Not JSON: another version's words for "no such command".
    return undefined
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}
