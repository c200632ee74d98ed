import { join } from 'node:path'
import type { LaunchIntent, LaunchSpec } from '../client.ts'
import { seedOf } from './seed.ts'

/**
 * A start with any plugin waits for npm to install a package that ours does not need, offline for 75 s (1.18.33);
 * with this it does not ask. The plugin takes it out again, before an agent runs npm.
 */
const ENV = { npm_config_offline: 'true', CORTEXT_OFFLINE: '1' }

/**
 * OpenCode's own resume. For a `handoff` of a session that `prepare` imports from the seed file before: the route that
 * was proved (1.18.33). Nothing in it is expanded, and no model is called before the person types. Pure.
 */
export function launch(intent: LaunchIntent): LaunchSpec {
  const { nativeId, cwd } = intent
  const spec = { command: 'opencode', args: ['--session', nativeId], env: ENV, cwd }
  if (intent.mode === 'native') return { ...spec, files: [] }
  const path = join(intent.folder, `opencode-${nativeId}.json`)
  return { ...spec, files: [{ path, content: JSON.stringify(seedOf(intent)) }] }
}
