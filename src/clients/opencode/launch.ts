import { join } from 'node:path'
import type { Handoff, LaunchSpec } from '../contract/launch.ts'
import { seedOf } from './seed.ts'

/**
 * With any plugin, OpenCode waits at its start for npm to install a package that ours does not need: 75 s when offline
 * (1.18.33). With `npm_config_offline` it does not ask npm. `CORTEXT_OFFLINE` lets the plugin remove both variables
 * before an agent runs npm.
 */
const ENV = { npm_config_offline: 'true', CORTEXT_OFFLINE: '1' }

/** Starts OpenCode's own resume. Pure. */
export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'opencode', args: ['--session', nativeId], env: ENV, cwd, files: [] }
}

/**
 * Starts OpenCode's own resume of a session that `prepare` has imported from the seed file. In 1.18.33 nothing in it
 * was expanded, and no model was called before the person typed. Pure.
 */
export function handoff(intent: Handoff): LaunchSpec {
  const path = join(intent.folder, `opencode-${intent.nativeId}.json`)
  return { ...native(intent), files: [{ path, content: JSON.stringify(seedOf(intent)) }] }
}
