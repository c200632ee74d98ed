import type { Personal } from '../contract/personal.ts'
import { ownFolder } from './home.ts'
import { addPersonalHooks, removeHooks } from './hook-settings.ts'
import { addPermissions, PERSONAL_RULES, removePermissions } from './permissions.ts'

/** Of two commands with one name, the client takes the person's (2.1.330). */
export const personal: Personal = {
  folder: ownFolder,
  place: (path) => path.replace(/^\.claude\//, ''),
  settings: {
    file: 'settings.json',
    add: (settings) => addPermissions(addPersonalHooks(settings), PERSONAL_RULES),
    remove: (settings) => removePermissions(removeHooks(settings), PERSONAL_RULES),
  },
}
