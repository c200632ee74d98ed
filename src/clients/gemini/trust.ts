import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { trustIn } from '../shared/genai/trusted-folders.ts'
import { settingOf } from '../shared/setup/settings-files.ts'

/**
 * Whether Gemini CLI trusts a folder, by its own rules (read in 0.61.0). Variables decide first, then the setting that
 * turns the question off. Otherwise the longest path in trustedFolders.json that contains the folder decides. Undefined
 * when the client asks at its next start.
 */
export function isTrusted(environment: Environment, folder: string): boolean | undefined {
  const { GEMINI_RESTRICTED_MODE: restricted, GEMINI_CLI_TRUST_WORKSPACE: trust } = environment.env
  if (restricted === 'true' || trust === 'false') return false
  const own = ownFolder(environment)
  const asked = settingOf([join(own, 'settings.json')], 'security.folderTrust.enabled')?.value
  if (trust === 'true' || asked === false) return true
  const file = environment.env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(own, 'trustedFolders.json')
  return trustIn(file, folder)
}

/** The client's own folder, `~/.gemini`. */
export function ownFolder(environment: Environment): string {
  return join(environment.env.GEMINI_CLI_HOME || environment.home, '.gemini')
}
