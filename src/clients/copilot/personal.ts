import type { Personal } from '../contract/personal.ts'
import { ownFolder } from './home.ts'
import { addPersonalHooks, removeHooks } from './hook-settings.ts'

/**
 * The client runs these hooks in every folder, trusted or not. Where there are two commands of one name, it takes the
 * project's, if it trusts the project (1.0.102).
 */
export const personal: Personal = {
  folder: ownFolder,
  place: (path) => path.replace(/^\.github\//, ''),
  settings: {
    file: 'hooks/cortext.json',
    blank: { version: 1 },
    add: addPersonalHooks,
    remove: removeHooks,
  },
}
