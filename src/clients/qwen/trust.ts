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
  const file = environment.env.QWEN_CODE_TRUSTED_FOLDERS_PATH || join(own, 'trustedFolders.json')
  return asks ? trustIn(file, folder) : true
}
