import type { Client } from '../../src/clients/contract/client.ts'
import type { OwnSettings } from '../../src/clients/contract/settings.ts'
import { clientList } from '../../src/clients/index.ts'

export interface Hooked {
  client: Client
  settings: OwnSettings
}

/** What a client runs at an event: a program with its arguments, or else a line for a shell. */
export interface Entry {
  command: string
  args?: string[]
  timeout?: number
  env?: Record<string, string>
}

/** The clients of the list whose hooks are in their settings. */
export function hookedClients(): Hooked[] {
  return clientList().flatMap((client) =>
    client.settings === undefined ? [] : [{ client, settings: client.settings }],
  )
}

/** The same, and those in the person's own settings, whose calls end in `more`. */
export function everywhereHooked(): (Hooked & { where: string; more: string[] })[] {
  const personal = clientList().flatMap((client) => {
    const settings = client.personal?.settings
    return settings === undefined ? [] : [{ client, settings, where: 'the person', more: ['--personal'] }]
  })
  return [...hookedClients().map((one) => ({ ...one, where: 'a workspace', more: [] })), ...personal]
}

/** What we put into a client's settings: each event with its hook. */
export function entriesOf({ settings }: Hooked): (readonly [event: string, hook: Entry])[] {
  const hooks = settings.add({}).hooks as Record<string, { hooks: Entry[] }[]>
  return Object.entries(hooks).map(([event, [one]]) => [event, one!.hooks[0]!] as const)
}
