import { join } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { type Answer, askProgram } from '../../io/run.ts'
import { withTemporaryFolder } from '../../io/temporary-folder.ts'
import { paste } from '../../text/paste.ts'
import { type Finding, note, ok, problem } from './finding.ts'

/** What a program on PATH answered to `--version`. */
export interface Probe {
  path: string | undefined
  /** For example `1.18.33`. Undefined when there is no such program or it printed no version. */
  version?: string
  /** Why the program did not print its version. */
  failure?: string
}

/**
 * Finds the version of a program on PATH. First runs it with an empty home, because some clients write into their home
 * even for `--version` (Gemini CLI 0.61.0, OpenCode 1.18.33). Some programs print no version then, for example if a
 * version manager starts them. They are run again with the person's home. A program that hangs is not run again.
 * `patience` is in milliseconds; `more` are variables for the first run.
 */
export async function probe(
  environment: Environment,
  name: string,
  patience: number,
  more: Record<string, string> = {},
): Promise<Probe> {
  const path = findProgram(name, environment.env)
  if (path === undefined) return { path }
  return withTemporaryFolder([], async (home) => {
    const first = await ask(environment, path, patience, { ...elsewhere(home), ...more })
    const answer =
      first === 'hangs' || versionIn(first) !== undefined ? first : await ask(environment, path, patience)
    const version = versionIn(answer)
    return version === undefined ? { path, failure: failureIn(answer, patience) } : { path, version }
  })
}

function ask(
  environment: Environment,
  path: string,
  patience: number,
  more: Record<string, string> = {},
): Promise<Answer> {
  return askProgram(path, ['--version'], {
    env: { ...environment.env, ...more },
    cwd: environment.cwd,
    timeoutMs: patience,
  })
}

function elsewhere(home: string): Record<string, string> {
  const folders = { CONFIG: '.config', DATA: '.local/share', STATE: '.local/state', CACHE: '.cache' }
  const xdg = Object.entries(folders).map(([name, folder]) => [`XDG_${name}_HOME`, join(home, folder)])
  return { HOME: home, USERPROFILE: home, ...Object.fromEntries(xdg) }
}

function versionIn(answer: Answer): string | undefined {
  if (typeof answer === 'string' || answer.code !== 0) return undefined
  return /\b\d+\.\d+\.\d+\b/.exec(String(answer.stdout))?.[0]
}

function failureIn(answer: Answer, patience: number): string {
  if (answer === 'hangs') return `it did not answer within ${patience / 1000} s`
  if (answer === 'prints too much') return 'it printed too much'
  if (answer === 'cannot be started') return 'it cannot be started'
  const [line = ''] = (answer.stderr.trim() || String(answer.stdout).trim()).split('\n')
  const end = answer.code === null ? 'it was ended by a signal' : `exit code ${answer.code}`
  return line === '' ? end : `${end}: ${line.slice(0, 200)}`
}

/** Compares a client's version with the tested versions. Nothing for one that is not installed. */
export function clientFindings(client: Client, { path, version, failure }: Probe): Finding[] {
  const { id, name } = client
  if (path === undefined) return []
  if (version === undefined)
    return [
      problem(
        'client-fails',
        `${name} does not print its version: ${path}: ${failure}`,
        paste`${id} --version`,
      ),
    ]
  return [againstTested(client, version)]
}

/** Names the clients that are not installed: nobody needs them all, so it is only worth a note where there is none. */
export function missingFindings(clients: readonly { client: Client; probe: Probe }[]): Finding[] {
  const missing = clients.filter(({ probe }) => probe.path === undefined).map(({ client }) => client.name)
  if (missing.length === 0) return []
  const message = `not installed: ${missing.join(', ')}`
  if (missing.length < clients.length) return [ok('not-installed', message)]
  return [note('not-installed', message, 'install the one that you want to talk with')]
}

function againstTested({ name, tested }: Client, version: string): Finding {
  if (tested.includes(version)) return ok('tested', `${name} ${version}, tested`)
  const [oldest = version, newest = version] = [tested[0], tested.at(-1)]
  if (compareVersions(version, newest) > 0)
    return note('newer-than-tested', `${name} ${version}, newer than what was tested (${newest})`)
  if (compareVersions(version, oldest) < 0)
    return note('older-than-tested', `${name} ${version}, older than what was tested (${oldest})`)
  return ok('between-tested', `${name} ${version}, between versions that were tested (${tested.join(', ')})`)
}

/** Compares two versions `major.minor.patch`. The result is below 0 if `a` is older, and above 0 if `a` is newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let part = 0; part < 3; part++) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
