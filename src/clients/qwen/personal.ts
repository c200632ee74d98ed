import type { Personal } from '../contract/personal.ts'
import { ownFolder } from './home.ts'
import { addPersonalHooks, removeHooks, settingsBlank } from './hook-settings.ts'

/** Where there are two commands of one name, the client takes the project's (0.24.4). */
export const personal: Personal = {
  folder: ownFolder,
  place: (path) => path.replace(/^\.qwen\//, ''),
  settings: {
    file: 'settings.json',
    haveComments: true,
    blank: settingsBlank,
    add: addPersonalHooks,
    remove: removeHooks,
  },
}
