import type { Personal } from '../contract/personal.ts'
import { codexHome } from './home.ts'
import { addPersonalHooks, removeHooks } from './hook-settings.ts'

export const personal: Personal = {
  folder: codexHome,
  place: (path) => path.replace(/^\.codex\//, ''),
  settings: {
    file: 'hooks.json',
    trustQuestion:
      'Codex CLI runs no hook before you have said that you trust it. It asks once, when you next start `codex`: choose "Trust all and continue". Until then nothing is recorded by itself, and `codex exec` does not ask',
    add: addPersonalHooks,
    remove: removeHooks,
  },
}
