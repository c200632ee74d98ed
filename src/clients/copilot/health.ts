import { join, relative } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import { paste } from '../../text/paste.ts'
import type { ClientFinding } from '../contract/client.ts'
import { problem, untrustedFolder } from '../shared/setup/findings.ts'
import { haveOurHooks } from '../shared/setup/hook-entries.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { listOf } from '../shared/transcript/fields.ts'
import { ownFolder } from './facts.ts'

/**
 * Reports a folder whose hooks and commands Copilot CLI does not use. It uses those in its own folder everywhere (1.0.102;
 * see docs/clients/copilot-cli.md).
 */
export function health(environment: Environment, folder: string): ClientFinding[] {
  const own = join(ownFolder(environment), 'settings.json')
  const mine = haveOurHooks(join(ownFolder(environment), 'hooks/cortext.json'), 'copilot')
  const here = haveOurHooks(join(folder, '.github/hooks/cortext.json'), 'copilot')
  if (readSettings(own).disableAllHooks === true) {
    const message = `"disableAllHooks": true in ${own} turns our hooks off: nothing is recorded`
    return problem('hooks-disabled', message, paste`remove "disableAllHooks" from ${own}`)
  }
  if (isTrusted(environment, folder) || (mine && !here)) return []
  const effect = 'its hooks and commands do not work in it, with -p without a word'
  const fix = `${paste`cd ${folder} && copilot`}, and there: Yes, and remember this folder`
  return untrustedFolder(folder, 'Copilot CLI', effect, fix)
}

/**
 * Whether Copilot CLI trusts a folder: the folder, or one above it, is in `trustedFolders` of `config.json`. The client
 * ignores that key in `settings.json`, which its help names (1.0.102).
 */
function isTrusted(environment: Environment, folder: string): boolean {
  if (environment.env.COPILOT_ALLOW_ALL === 'true') return true
  const inner = realFolder(folder)
  return listOf(readSettings(join(ownFolder(environment), 'config.json')).trustedFolders)
    .filter((path) => typeof path === 'string')
    .some((path) => !/^(?:\.\.(?:[/\\]|$)|[A-Za-z]:)/.test(relative(realFolder(path), inner)))
}
