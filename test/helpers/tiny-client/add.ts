import { hookLanguages } from '../../../src/clients/hook-languages.ts'
import { clients } from '../../../src/clients/index.ts'
import { tinyHooks } from './events.ts'
import { tiny } from './index.ts'

/** Adds the fourth client to the lists, for the rest of a test file: one word in each. */
export function addTinyClient(): void {
  Object.assign(clients, { tiny })
  Object.assign(hookLanguages, { tiny: tinyHooks })
}
