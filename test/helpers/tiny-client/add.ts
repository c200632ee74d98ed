import { hookLanguages } from '../../../src/clients/hook-languages.ts'
import { clients } from '../../../src/clients/index.ts'
import { tinyHooks } from './events.ts'
import { tiny } from './index.ts'

/** Adds the tiny client to both lists for the rest of a test file. Throws if other files would see it too. */
export function addTinyClient(): void {
  if (process.env.OWN_PROCESS === undefined)
    throw new Error('this file adds a client: name it in ADDS_A_CLIENT of vitest.config.ts')
  Object.assign(clients, { tiny })
  Object.assign(hookLanguages, { tiny: tinyHooks })
}
