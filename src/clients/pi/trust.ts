import { dirname, join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { ownFolder } from './home.ts'

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
