import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import { paste } from '../../text/paste.ts'
import type { ClientFinding } from '../contract/client.ts'
import { untrustedFolder } from '../shared/setup/findings.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { ownFolder } from './facts.ts'

/**
 * Reports a folder that Pi does not trust: it then ignores our commands and our extension there. It loads those in the
 * person's own folder everywhere, so a folder that has none of its own needs no trust (1.5.2).
 */
export function health(environment: Environment, folder: string): ClientFinding[] {
  const trusted = isTrusted(environment, folder)
  const [inFolder, inOwn] = [join(folder, '.pi'), ownFolder(environment)].map((where) =>
    existsSync(join(where, 'extensions', 'cortext.js')),
  )
  if (trusted === true || (inOwn && !inFolder)) return []
  const fix = trusted === undefined ? ' answer that you trust it' : ': /trust'
  const effect = 'its commands do not work in it, and nothing is recorded by itself'
  return untrustedFolder(folder, 'Pi', effect, `${paste`cd ${folder} && pi`}, and there${fix}`)
}

/**
 * Whether Pi trusts a folder, by its own rules (read in 1.5.2): the nearest folder above that `trust.json` names
 * decides, then the person's `defaultProjectTrust`. Undefined when Pi asks at its next start in a terminal.
 */
export function isTrusted(environment: Environment, folder: string): boolean | undefined {
  const own = ownFolder(environment)
  const saved = readSettings(join(own, 'trust.json'))
  for (let path = realFolder(folder); ; path = dirname(path)) {
    const decision = saved[path]
    if (typeof decision === 'boolean') return decision
    if (dirname(path) === path) break
  }
  const byDefault = readSettings(join(own, 'settings.json')).defaultProjectTrust
  return byDefault === 'always' ? true : byDefault === 'never' ? false : undefined
}
