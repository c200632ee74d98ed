import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { paste } from '../../text/paste.ts'
import type { ClientFinding } from '../contract/client.ts'
import type { Retention } from '../contract/sessions.ts'
import { hinderingSettings, problem } from '../shared/setup/findings.ts'
import { settingOf } from '../shared/setup/settings-files.ts'
import { ownFolder } from './facts.ts'

/** Reports `disableAllHooks`, which turns our hooks off too, and a setting with which no transcript may be written. */
export function health(environment: Environment, folder: string): ClientFinding[] {
  const files = settingsFiles(environment, folder)
  const off = hinderingSettings(files, [
    { key: 'disableAllHooks', value: true, code: 'hooks-disabled', effect: 'turns all hooks off' },
  ])
  const days = settingOf(files, DAYS)
  if (days?.value !== 0) return off
  const message = `"${DAYS}" is 0 in ${days.path}: earlier versions of Claude Code then write no transcripts, and nothing is recorded; 2.1.330 refuses the setting`
  return [...off, ...problem('sessions-not-kept', message, `set "${DAYS}" in ${paste`${days.path}`} to 3650`)]
}

const DAYS = 'cleanupPeriodDays'

/**
 * At its start Claude Code deletes sessions that were not touched for `cleanupPeriodDays` days. The default is 30. 0 is
 * refused, and then nothing is deleted (read in 2.1.330; see `health`).
 */
export function retention(environment: Environment, folder: string): Retention | undefined {
  const set = settingOf(settingsFiles(environment, folder), DAYS)?.value
  const days = typeof set === 'number' && set >= 0 ? set : 30
  return days === 0 ? undefined : { days, setting: DAYS }
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
