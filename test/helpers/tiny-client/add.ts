import { hookLanguages } from '../../../src/clients/hook-languages.ts'
import { clients } from '../../../src/clients/index.ts'
import { tinyHooks } from './events.ts'
import { tiny } from './index.ts'

/** Adds the tiny client to both lists for the rest of a test file. */
export function addTinyClient(): void {
  Object.assign(clients, { tiny })
  Object.assign(hookLanguages, { tiny: tinyHooks })
}
