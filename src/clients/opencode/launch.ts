import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import type { Launching, Seed } from '../contract/launch.ts'
import { askOpenCode, removeDeadLocks } from './program.ts'
import { newSessionId, seed } from './seed.ts'

/**
 * If a project has a plugin, OpenCode waits at its start until npm has installed a package. Our plugin does not need
 * the package, and offline the wait takes 75 s (1.18.33). With `npm_config_offline` OpenCode does not wait.
 * `CORTEXT_OFFLINE` tells the plugin to remove both variables before an agent runs npm. `CORTEXT_OPENED` tells it which
 * session is open, because OpenCode tells a plugin of a session only at a prompt.
 */
const ENV = { npm_config_offline: 'true', CORTEXT_OFFLINE: '1' }

/**
 * OpenCode imports the seed and resumes it. It expanded nothing in the session, and called no model before the person
 * typed (1.18.33).
 */
export const launch: Launching = {
  shellVariables: ['OPENCODE', 'CORTEXT_OPENCODE_SESSION'],
  showsAtResume: true,
  newSessionId,
  seed,
  seedEnding: 'json',
  prepare: removeDeadLocks,
  place,
  native: (nativeId) => ({ args: ['--session', nativeId], env: { ...ENV, CORTEXT_OPENED: nativeId } }),
}

/** Lets OpenCode import the seed, which takes about a second. Throws `client-failed` when the import fails. */
function place(environment: Environment, { nativeId, cwd, path }: Seed): void {
  const output = askOpenCode(environment, cwd, ['import', path])
  if (output?.includes(nativeId) !== true)
    throw new CortextError('client-failed', 'OpenCode did not take over the conversation (opencode import)', {
      fix: 'opencode --version',
    })
}
