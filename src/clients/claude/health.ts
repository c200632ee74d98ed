import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFinding } from '../contract/health.ts'
import type { Retention } from '../contract/sessions.ts'
import { settingOf } from '../setup/settings-files.ts'

/** `disableAllHooks` turns ours off too. */
export function health(environment: Environment, folder: string): ClientFinding[] {
  const off = settingOf(settingsFiles(environment, folder), 'disableAllHooks')
  if (off?.value !== true) return []
  return [
    {
      severity: 'problem',
      code: 'hooks-disabled',
      message: `"disableAllHooks" in ${off.path} turns all hooks off: nothing is recorded`,
      fix: `take "disableAllHooks" out of ${off.path}`,
    },
  ]
}

/** Claude Code deletes what was not touched for so long at its start; 0 is never (read in 2.1.330). */
export function retention(environment: Environment, folder: string): Retention | undefined {
  const set = settingOf(settingsFiles(environment, folder), 'cleanupPeriodDays')?.value
  const days = typeof set === 'number' && set >= 0 ? set : 30
  return days === 0 ? undefined : { days, setting: 'cleanupPeriodDays' }
}

/** What decides first comes first. An organisation's managed settings, above them all, are not looked at. */
function settingsFiles(environment: Environment, folder: string): string[] {
  const own = environment.env.CLAUDE_CONFIG_DIR || join(environment.home, '.claude')
  return [
    ...['settings.local.json', 'settings.json'].map((name) => join(folder, '.claude', name)),
    join(own, 'settings.json'),
  ]
}
