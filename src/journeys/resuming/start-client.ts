import { join } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import type { Handoff, Seed, Start } from '../../clients/contract/launch.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { removeFiles, writePrivateFiles } from '../../io/private-files.ts'
import { findProgram } from '../../io/program.ts'
import { runInTerminal } from '../../io/run.ts'
import { clientAround } from '../agent-workspace.ts'

/** How a client is started in this terminal, and the seed that it is started with. */
export interface LaunchSpec extends Required<Start> {
  command: string
  cwd: string
  seed?: Seed
}

/** A start in which the client resumes a session of its own. Pure. */
export function nativeLaunch(
  { id, launch }: Client,
  { nativeId, cwd }: { nativeId: string; cwd: string },
): LaunchSpec {
  return { command: id, env: {}, ...launch.native(nativeId), cwd }
}

/** A start with a new session that has the history of a conversation. Its seed is for a file in `folder`. Pure. */
export function handoffLaunch(client: Client, handoff: Handoff, folder: string): LaunchSpec {
  const { nativeId, cwd } = handoff
  const { seed, seedEnding = 'jsonl', withSeed } = client.launch
  const path = join(folder, `${client.id}-${nativeId}.${seedEnding}`)
  return {
    ...nativeLaunch(client, handoff),
    ...withSeed?.(nativeId, path),
    seed: { nativeId, cwd, path, content: seed(handoff) },
  }
}

/**
 * Runs a client in this terminal, with a session of its own or else a new one, and returns its exit code. Throws
 * `client-missing` and `refused`.
 */
export function runClient(
  environment: Environment,
  client: Client,
  { nativeId, cwd }: { nativeId?: string; cwd: string },
): Promise<number> {
  checkStart(environment, client)
  client.launch.prepare?.(environment)
  const start = nativeId === undefined ? { args: [] } : client.launch.native(nativeId)
  const spec = { command: client.id, env: {}, ...start, cwd: cwd || environment.cwd }
  return runInTerminal(spec, environment.env)
}

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

/**
 * Prepares the start of a client: writes the seed, and lets the client take it over. If that fails, removes the seed's
 * file and throws, with the client's own way out and with `fix`, which needs no client.
 */
export async function makeReady(
  environment: Environment,
  { launch: { prepare, place } }: Client,
  { seed }: LaunchSpec,
  fix: string,
): Promise<void> {
  prepare?.(environment)
  if (seed === undefined) return
  writePrivateFiles([seed])
  try {
    await place?.(environment, seed)
  } catch (error) {
    removeFiles([seed])
    if (!(error instanceof CortextError)) throw error
    const ways = error.fix === undefined ? fix : `${error.fix}; or, without the client: ${fix}`
    throw new CortextError(error.code, error.message, { fix: ways })
  }
}
