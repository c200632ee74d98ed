import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFinding } from '../contract/client.ts'
import type { Retention } from '../contract/sessions.ts'
import { hinderingSettings } from '../shared/setup/findings.ts'
import { settingOf } from '../shared/setup/settings-files.ts'
import { ownFolder } from './facts.ts'

/** Reports `disableAllHooks`, which turns our hooks off too. */
export function health(environment: Environment, folder: string): ClientFinding[] {
  return hinderingSettings(settingsFiles(environment, folder), [
    { key: 'disableAllHooks', value: true, code: 'hooks-disabled', effect: 'turns all hooks off' },
  ])
}

/**
 * At its start Claude Code deletes sessions that were not touched for `cleanupPeriodDays` days. The default is 30, and
 * 0 means never (read in 2.1.330).
 */
export function retention(environment: Environment, folder: string): Retention | undefined {
  const set = settingOf(settingsFiles(environment, folder), 'cleanupPeriodDays')?.value
  const days = typeof set === 'number' && set >= 0 ? set : 30
  return days === 0 ? undefined : { days, setting: 'cleanupPeriodDays' }
}

/**
 * The settings files in order of precedence. Managed settings of an organisation would come first, but cortext does not
 * read them.
 */
function settingsFiles(environment: Environment, folder: string): string[] {
  return [
    ...['settings.local.json', 'settings.json'].map((name) => join(folder, '.claude', name)),
    join(ownFolder(environment), 'settings.json'),
  ]
}
