import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { isRunning } from '../../io/process.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { namesIn } from '../shared/transcript/session-files.ts'

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
