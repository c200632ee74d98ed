import { join, relative } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { listOf } from '../shared/transcript/fields.ts'
import { ownFolder } from './home.ts'

/**
 * Whether Copilot CLI trusts a folder: the folder, or one above it, is in `trustedFolders` of `config.json`. The client
 * ignores that key in `settings.json`, which its help names (1.0.102).
 */
export function isTrusted(environment: Environment, folder: string): boolean {
  if (environment.env.COPILOT_ALLOW_ALL === 'true') return true
  const inner = realFolder(folder)
  return listOf(readSettings(join(ownFolder(environment), 'config.json')).trustedFolders)
    .filter((path) => typeof path === 'string')
    .some((path) => !/^(?:\.\.(?:[/\\]|$)|[A-Za-z]:)/.test(relative(realFolder(path), inner)))
}
