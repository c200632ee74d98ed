import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { ClientFinding } from '../contract/client.ts'
import { trustIn } from '../shared/genai/facts.ts'
import { hinderingSettings, untrustedFolder } from '../shared/setup/findings.ts'
import { haveOurHooks } from '../shared/setup/hook-entries.ts'
import { settingOf } from '../shared/setup/settings-files.ts'
import { ownFolder, settingsFiles } from './facts.ts'

/** The settings that keep our hooks from recording (0.24.4). */
const HINDERING = [
  { key: 'disableAllHooks', value: true, code: 'hooks-disabled', effect: 'turns all hooks off' },
  {
    key: 'general.chatRecording',
    value: false,
    code: 'sessions-not-kept',
    effect: 'keeps no sessions on disk',
  },
] as const

/** Reports what keeps our hooks and commands from working (0.24.4; see docs/clients/qwen-code.md). */
export function health(environment: Environment, folder: string): ClientFinding[] {
  const hindering = hinderingSettings(settingsFiles(environment, folder), HINDERING)
  return [...untrusted(environment, folder), ...hindering]
}

/** The hooks and commands in the client's own folder work everywhere (0.24.4). */
function untrusted(environment: Environment, folder: string): ClientFinding[] {
  const trusted = isTrusted(environment, folder)
  const [here, mine] = settingsFiles(environment, folder).map((path) => haveOurHooks(path, 'qwen'))
  if (trusted === true || (mine && !here)) return []
  const fix = trusted === false ? ': /trust' : ' answer the question whether you trust this folder'
  return untrustedFolder(folder, 'Qwen Code', 'hooks and commands do not work in it', `qwen, and there${fix}`)
}

/**
 * Whether Qwen Code trusts a folder, by its own rules (read in 0.24.4). Unless the person turned the question on, it
 * trusts every folder. Undefined when the client asks at its next start.
 */
function isTrusted(environment: Environment, folder: string): boolean | undefined {
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
