import type { Personal } from '../contract/personal.ts'
import { addPersonalHooks, removeHooks } from './hook-settings.ts'
import { POLICY } from './policy.ts'
import { ownFolder } from './trust.ts'

/** The client reads the policies in its own folder without a setting (0.61.0). */
export const personal: Personal = {
  folder: ownFolder,
  place: (path) => (path === POLICY ? 'policies/cortext.toml' : path.replace(/^\.gemini\//, '')),
  clash: 'Gemini CLI renames commands that are in both places, so that none of them works',
  settings: { file: 'settings.json', haveComments: true, add: addPersonalHooks, remove: removeHooks },
}
