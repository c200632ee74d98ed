import type { Client } from '../../clients/contract/client.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { clientAround } from '../agent-workspace.ts'

/**
 * Checks that a client may be started, and returns the path of its program. Throws `client-missing` when the program is
 * not on PATH. Throws `refused` when the agent of another client asks for the start without a terminal. In that case,
 * this agent would write the prompts of the started client, and no person would see them.
 */
export function checkStart(environment: Environment, { id, name, install }: Client): string {
  const around = clientAround(environment)
  if (around !== undefined && !environment.interactive)
    throw new CortextError(
      'refused',
      `${name} is not started from inside ${around.name} without a terminal`,
      {
        fix: 'run it in a terminal of your own; to read a conversation here: cortext agent context <id>',
      },
    )
  const program = findProgram(id, environment.env)
  if (program !== undefined) return program
  throw new CortextError('client-missing', `${name} (${id}) is not installed, or not on PATH`, {
    fix: install,
  })
}
