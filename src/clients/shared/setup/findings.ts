import { paste } from '../../../text/paste.ts'
import type { ClientFinding } from '../../contract/client.ts'
import { settingOf } from './settings-files.ts'

/** Findings of a client's `health`. */

export function problem(code: string, message: string, fix: string): ClientFinding[] {
  return [{ severity: 'problem', code, message, fix }]
}

/** A folder that the client, named as people write it, does not trust. `effect` says what does not work in it. */
export function untrustedFolder(folder: string, name: string, effect: string, fix: string): ClientFinding[] {
  return problem('untrusted-folder', `${folder} is not a trusted folder of ${name}: ${effect}`, fix)
}

/** Each setting that has the value with which nothing is recorded. `files` are in order of precedence. */
export function hinderingSettings(
  files: readonly string[],
  settings: readonly { key: string; value: boolean; code: string; effect: string }[],
): ClientFinding[] {
  return settings.flatMap(({ key, value, code, effect }) => {
    const set = settingOf(files, key)
    if (set?.value !== value) return []
    const message = `"${key}" in ${set.path} ${effect}: nothing is recorded`
    return problem(code, message, `take "${key}" out of ${paste`${set.path}`}`)
  })
}
