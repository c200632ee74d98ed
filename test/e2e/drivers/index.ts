import { type ClientId, clientList } from '../../../src/clients/index.ts'
import type { Machine } from './driver.ts'

const ids = clientList().map(({ id }) => id)
const modules = ids.map(async (id) => [id, (await import(/* @vite-ignore */ `./${id}.ts`))[id]] as const)

/** Every client of src/clients/index.ts, each from the file here that has its name. */
export const machines = Object.fromEntries(await Promise.all(modules)) as Record<ClientId, Machine>
