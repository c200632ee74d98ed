import { join } from 'node:path'
import type { Place } from '../../io/environment.ts'
import type { ClientFinding, Retention } from '../client.ts'
import { settingOf } from '../setup/settings-files.ts'

/** `disableAllHooks` turns ours off too. */
export function health(place: Place, folder: string): ClientFinding[] {
  const off = settingOf(settingsFiles(place, folder), 'disableAllHooks')
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
export function retention(place: Place, folder: string): Retention | undefined {
  const set = settingOf(settingsFiles(place, folder), 'cleanupPeriodDays')?.value
  const days = typeof set === 'number' && set >= 0 ? set : 30
  return days === 0 ? undefined : { days, setting: 'cleanupPeriodDays' }
}

/** What decides first comes first. An organisation's managed settings, above them all, are not looked at. */
function settingsFiles(place: Place, folder: string): string[] {
  const own = place.env.CLAUDE_CONFIG_DIR || join(place.home, '.claude')
  return [
    ...['settings.local.json', 'settings.json'].map((name) => join(folder, '.claude', name)),
    join(own, 'settings.json'),
  ]
}
