import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { listNames } from '../../io/list-names.ts'
import { paste } from '../../text/paste.ts'
import type { ClientFinding } from '../contract/client.ts'
import type { Retention } from '../contract/sessions.ts'
import { trustIn } from '../shared/genai/facts.ts'
import { problem, untrustedFolder } from '../shared/setup/findings.ts'
import { haveOurHooks } from '../shared/setup/hook-entries.ts'
import { readSettings, settingOf } from '../shared/setup/settings-files.ts'
import { fieldsOf, listOf } from '../shared/transcript/fields.ts'
import { ownFolder, settingsFiles } from './facts.ts'

/** Reports what keeps our hooks and commands from working (0.61.0; see docs/clients/gemini-cli.md). */
export function health(environment: Environment, folder: string): ClientFinding[] {
  return [
    ...untrusted(environment, folder),
    ...disabledHooks(environment, folder),
    ...duplicateCommands(environment, folder),
    ...sessionDeletion(environment, folder),
  ]
}

/**
 * At its start Gemini CLI deletes sessions that were not changed for `maxAge`. With a value that it does not understand
 * it deletes nothing.
 */
export function retention(environment: Environment, folder: string): Retention | undefined {
  const files = settingsFiles(environment, folder)
  const { enabled, maxAge } = retentionSettings(files)
  const [, count = '0', unit = 'd'] = /^(\d+)([hdwm])$/.exec(maxAge) ?? []
  const days = Number(count) * DAYS[unit as keyof typeof DAYS]
  // The client refuses less than a day, and then deletes nothing.
  return enabled && days >= 1 ? { days, setting: 'general.sessionRetention' } : undefined
}

const DAYS = { h: 1 / 24, d: 1, w: 7, m: 30 }

function retentionSettings(files: readonly string[]): { enabled: boolean; maxAge: string } {
  const enabled = settingOf(files, 'general.sessionRetention.enabled')?.value ?? true
  const maxAge = settingOf(files, 'general.sessionRetention.maxAge')?.value ?? '30d'
  return { enabled: enabled === true, maxAge: String(maxAge) }
}

function untrusted(environment: Environment, folder: string): ClientFinding[] {
  const trusted = isTrusted(environment, folder)
  if (trusted === true) return []
  const fix = trusted === false ? ': /permissions' : ' answer the question whether you trust this folder'
  const effect = 'hooks, commands and policy do not work in it'
  return untrustedFolder(folder, 'Gemini CLI', effect, `gemini, and there${fix}`)
}

function disabledHooks(environment: Environment, folder: string): ClientFinding[] {
  const files = settingsFiles(environment, folder)
  const enabled = settingOf(files, 'hooksConfig.enabled')
  const named = files.filter((path) =>
    listOf(fieldsOf(readSettings(path).hooksConfig).disabled).includes('cortext'),
  )
  const off = enabled?.value === false ? [paste`"hooksConfig.enabled": false in ${enabled.path}`] : []
  const ours = named.map((path) => paste`"hooksConfig.disabled" in ${path}`)
  const hooksOff = (setting: string, fix: string) =>
    problem('hooks-disabled', `${setting} turns our hooks off: nothing is recorded`, fix)
  return [
    ...off.flatMap((setting) => hooksOff(setting, `remove ${setting}`)),
    ...ours.flatMap((setting) => hooksOff(setting, `remove "cortext" from ${setting}`)),
  ]
}

/**
 * When commands in two places have the same name, Gemini CLI renames both. It then finds neither under the old name.
 */
function duplicateCommands(environment: Environment, folder: string): ClientFinding[] {
  const ours = listNames(join(folder, '.gemini', 'commands'), '.toml').filter((name) =>
    name.startsWith('workspace.'),
  )
  const extensions = join(ownFolder(environment), 'extensions')
  const mine = join(ownFolder(environment), 'commands')
  const others = [mine, ...listNames(extensions, '').map((name) => join(extensions, name, 'commands'))]
  return others.flatMap((commands) => {
    const twice = listNames(commands, '.toml').filter((name) => ours.includes(name))
    if (twice.length === 0) return []
    const names = twice.map((name) => `/${name.slice(0, -'.toml'.length)}`).join(', ')
    const message = `${names} is in ${commands} too: Gemini CLI renames both, and neither can be typed`
    const isOurs = commands === mine && haveOurHooks(join(ownFolder(environment), 'settings.json'), 'gemini')
    const fix = isOurs
      ? paste`cd ${folder} && cortext init --in gemini`
      : twice.map((name) => paste`mv ${join(commands, name)} ${join(commands, `${name}.off`)}`).join(' && ')
    return problem('duplicate-command', message, fix)
  })
}

function sessionDeletion(environment: Environment, folder: string): ClientFinding[] {
  const files = settingsFiles(environment, folder)
  if (!retentionSettings(files).enabled) return []
  // If no file has the setting, we propose the person's own file, because the project's file may be shared.
  const file = settingOf(files, 'general.sessionRetention.enabled')?.path ?? files.at(-1)!
  return [
    {
      severity: 'note',
      code: 'sessions-at-risk',
      message:
        'general.sessionRetention is not off: Gemini CLI can delete its own session after a resume (the conversation stays)',
      fix: paste`set "general": {"sessionRetention": {"enabled": false}} in ${file}`,
    },
  ]
}

/**
 * Whether Gemini CLI trusts a folder, by its own rules (read in 0.61.0). Variables decide first, then the setting that
 * turns the question off. Otherwise the longest path in trustedFolders.json that contains the folder decides. Undefined
 * when the client asks at its next start.
 */
function isTrusted(environment: Environment, folder: string): boolean | undefined {
  const { GEMINI_RESTRICTED_MODE: restricted, GEMINI_CLI_TRUST_WORKSPACE: trust } = environment.env
  if (restricted === 'true' || trust === 'false') return false
  const own = ownFolder(environment)
  const asked = settingOf([join(own, 'settings.json')], 'security.folderTrust.enabled')?.value
  if (trust === 'true' || asked === false) return true
  const file = environment.env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(own, 'trustedFolders.json')
  return trustIn(file, folder)
}
