import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { trustIn } from '../shared/genai/trusted-folders.ts'
import { settingOf } from '../shared/setup/settings-files.ts'
import { ownFolder } from './home.ts'

/**
 * Whether Qwen Code trusts a folder, by its own rules (read in 0.24.4). Unless the person turned the question on, it
 * trusts every folder. Undefined when the client asks at its next start.
 */
export function isTrusted(environment: Environment, folder: string): boolean | undefined {
  const own = ownFolder(environment)
  const asks = settingOf([join(own, 'settings.json')], 'security.folderTrust.enabled')?.value === true
  return asks ? trustIn(trustedFolders(environment), folder) : true
}

/** Whether the person has trusted a folder by its name, whatever the client does with folders that it does not know. */
export function isNamedAsTrusted(environment: Environment, folder: string): boolean {
  return trustIn(trustedFolders(environment), folder) === true
}

function trustedFolders(environment: Environment): string {
  const given = environment.env.QWEN_CODE_TRUSTED_FOLDERS_PATH
  return given || join(ownFolder(environment), 'trustedFolders.json')
}
