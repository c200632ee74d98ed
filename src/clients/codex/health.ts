import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { paste } from '../../text/paste.ts'
import type { ClientFinding } from '../contract/client.ts'
import { problem, untrustedFolder } from '../shared/setup/findings.ts'
import { HOOKS, ownFolder } from './facts.ts'
import { type HookTrust, hookTrust, isTrusted, mainFolder, readConfig } from './trust.ts'

/**
 * Reports whether Codex CLI runs our hooks, according to the person's `config.toml` (0.169.0; see
 * docs/clients/codex.md).
 */
export function health(environment: Environment, folder: string): ClientFinding[] {
  const config = readConfig(environment)
  if (config.get('features', 'hooks') === false) {
    const message = `"hooks = false" in ${config.path} turns all hooks off: nothing is recorded by itself`
    return problem('hooks-disabled', message, paste`take "hooks = false" out of ${config.path}`)
  }
  const main = mainFolder(folder)
  const here = hookTrust(config, join(main, HOOKS.file))
  // The person's own hooks run in a folder that is not trusted too (0.169.0).
  const mine = hookTrust(config, join(ownFolder(environment), 'hooks.json'))
  if (here.length === 0 && mine.length > 0) return hooks(mine, folder)
  if (isTrusted(config, folder) === true)
    return here.length === 0 && main !== folder ? missing(main) : hooks(here, folder)
  const fix = `${paste`cd ${folder} && codex`}, and there answer that you trust it`
  return untrustedFolder(folder, 'Codex CLI', 'its hooks and rules do not work in it', fix)
}

function missing(main: string): ClientFinding[] {
  const message = `in a worktree Codex CLI runs the hooks of ${main}, which has none of ours: nothing is recorded by itself`
  return problem('hooks-of-main', message, paste`cd ${main} && cortext init --in codex`)
}

/**
 * The bad states of a hook, each with the code and the message of the finding. We report only the first one that any of
 * our hooks has.
 */
const STATES: [HookTrust, string, string][] = [
  ['off', 'hooks-disabled', 'some of our hooks are turned off'],
  ['changed', 'hooks-changed', 'our hooks have changed since you trusted them, so they do not run'],
  ['untrusted', 'hooks-untrusted', 'you have not said yet that you trust our hooks, so they do not run'],
]

function hooks(found: readonly HookTrust[], folder: string): ClientFinding[] {
  // `cortext doctor` reports missing hooks for every client (journeys/doctor/setup.ts).
  if (found.length === 0) return []
  const state = STATES.find(([name]) => found.includes(name))
  if (state === undefined)
    return [{ severity: 'ok', code: 'hooks-trusted', message: 'you have said that you trust our hooks' }]
  const [, code, what] = state
  const fix = `${paste`cd ${folder} && codex`}, and there: Trust all and continue (later: /hooks)`
  return problem(code, `${what}: nothing is recorded by itself`, fix)
}
