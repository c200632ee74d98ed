import { join } from 'node:path'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { seedOf } from './seed.ts'

/**
 * If a project has a plugin, OpenCode waits at its start until npm has installed a package. Our plugin does not need
 * the package, and offline the wait takes 75 s (1.18.33). With `npm_config_offline` OpenCode does not wait.
 * `CORTEXT_OFFLINE` tells the plugin to remove both variables before an agent runs npm. `CORTEXT_OPENED` tells it which
 * session is open, because OpenCode tells a plugin of a session only at a prompt.
 */
const ENV = { npm_config_offline: 'true', CORTEXT_OFFLINE: '1' }

/** Starts OpenCode's own resume. Pure. */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  const env = { ...ENV, CORTEXT_OPENED: nativeId }
  return { command: 'opencode', args: ['--session', nativeId], env, cwd, files: [] }
}

/**
 * Starts OpenCode's own resume of a session that `prepare` has imported from the seed file. OpenCode expanded nothing
 * in the session, and called no model before the person typed (1.18.33). Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `opencode-${intent.nativeId}.json`)
  return { ...native(intent), files: [{ path, content: JSON.stringify(seedOf(intent)) }] }
}
