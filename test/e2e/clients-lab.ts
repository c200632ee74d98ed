import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClientId, clientList } from '../../src/clients/index.ts'
import type { Driver as ClientDriver } from './drivers/driver.ts'
import { machines } from './drivers/index.ts'
import { type Lab, openLab } from './lab.ts'
import type { Block } from './reply.ts'
import { initPrivate, initWorkspace, type LabWorkspace, stopWith } from './workspace-lab.ts'

/** A person's machine with a workspace, `note.txt` in it, and some clients, each with an MCP server `notes`. */
export type ClientsLab<Id extends ClientId = ClientId> = Lab & LabWorkspace & Record<Id, Driver>

export interface Driver extends ClientDriver {
  /** What its agent runs to stop, as its instructions say. */
  stop(summary: string): Block
}

/** The first three clients: for what is the same in all. */
export type ThreeClientsLab = ClientsLab<'claude' | 'opencode' | 'gemini'>

/** What `note.txt` of the project says, which no mention in a history may bring to a model. */
export const NOTE = 'THE CONTENT OF THE NOTE'

export const openThreeClients = (): Promise<ThreeClientsLab> => openClients('claude', 'opencode', 'gemini')

export const openAllClients = (): Promise<ClientsLab> =>
  openClients(...clientList().map(({ id }) => id as ClientId))

export const openClients = <Id extends ClientId>(...chosen: readonly Id[]): Promise<ClientsLab<Id>> =>
  open(chosen, initWorkspace)

/** The same with a personal set-up, in a project that has no file of a client and no server `notes`. */
export const openPersonal = <Id extends ClientId>(...chosen: readonly Id[]): Promise<ClientsLab<Id>> =>
  open(chosen, async (lab, ...ids) => {
    removeClientFiles(lab)
    await initPersonal(lab, ids)
    return initWorkspace(lab)
  })

/** The same with a private workspace, in a project that has no file of a client and no server `notes`. */
export const openPrivate = <Id extends ClientId>(...chosen: readonly Id[]): Promise<ClientsLab<Id>> =>
  open(chosen, (lab, ...ids) => {
    removeClientFiles(lab)
    return initPrivate(lab, ...ids)
  })

/** The same with a personal set-up, in a project that has been set up too, before. */
export const openTwice = <Id extends ClientId>(...chosen: readonly Id[]): Promise<ClientsLab<Id>> =>
  open(chosen, async (lab, ...ids) => {
    const workspace = await initWorkspace(lab, ...ids)
    await initPersonal(lab, ids)
    return workspace
  })

function removeClientFiles(lab: Lab): void {
  for (const name of readdirSync(lab.project))
    if (/^\.(?!git$)/.test(name)) rmSync(join(lab.project, name), { recursive: true })
}

async function initPersonal(lab: Lab, ids: readonly string[]): Promise<void> {
  const done = await lab.run(['cortext', 'init', '--personal', ...ids.flatMap((id) => ['--in', id])])
  if (done.code !== 0) throw new Error(`init --personal failed: ${done.stderr}`)
}

async function open<Id extends ClientId>(
  chosen: readonly Id[],
  setUp: typeof initWorkspace,
): Promise<ClientsLab<Id>> {
  const ids = [...new Set(chosen)]
  const env = (port: number) => Object.assign({}, ...ids.map((id) => machines[id].env(port)))
  const place = ids.map((id) => machines[id].place).find((one) => one !== undefined)
  const lab = await openLab(env, place === undefined ? {} : { place })
  const installed = ids.map((id) => machines[id].put(lab))
  writeFileSync(join(lab.project, 'note.txt'), NOTE)
  const workspace = await setUp(lab, ...ids)
  const drivers: Partial<Record<ClientId, Driver>> = {}
  for (const begin of installed) {
    const driver = await begin()
    drivers[driver.id] = {
      ...driver,
      stop: (summary) => driver.shell(stopWith(summary)),
      async leave(terminal) {
        const code = await driver.leave(terminal)
        await workspace.settled()
        return code
      },
    }
  }
  return { ...lab, ...workspace, ...(drivers as Record<Id, Driver>) }
}
