import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import type { LaunchSpec } from '../contract/launch.ts'
import { askOpenCode, removeDeadLocks } from './program.ts'

/**
 * Lets OpenCode import the seed of a handoff, which takes about a second. Throws `client-failed` when the import fails.
 */
export function prepare(environment: Environment, { files, cwd, args }: LaunchSpec): void {
  removeDeadLocks(environment)
  for (const { path } of files) {
    const output = askOpenCode(environment, cwd, ['import', path])
    if (output?.includes(args.at(-1) ?? '') !== true)
      throw new CortextError(
        'client-failed',
        'OpenCode did not take over the conversation (opencode import)',
        {
          fix: 'opencode --version',
        },
      )
  }
}
