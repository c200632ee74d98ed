import type { Client } from '../../src/clients/contract/client.ts'
import type { OwnSettings } from '../../src/clients/contract/settings.ts'
import { clientList } from '../../src/clients/index.ts'

/** What the tests of hooks that are shell commands have to know of a client: its test folder says it. */
export interface HookFacts {
  /** The hooks that tell a person that cortext does not work. */
  telling: string[]
  /** The hook that tells it once a process, and the variable that names the project folder. */
  tellsOnce?: { event: string; folder: string }
  /** What the client gives its hooks, and which of them have nothing to do in a session that nobody records. */
  unknown: {
    names(folder: string, id: string): Record<string, string>
    /** The payload, where that names the session; hooks then run in the session's folder. */
    payload?(id: string): object
    events: [string, ...string[]]
    /** The hook that notes which session the client's process has open. */
    notes?: string
  }
}

export interface Hooked {
  client: Client
  settings: OwnSettings
  facts: HookFacts
}

/** The clients of the list whose hooks are shell commands in their settings, each with its `hook-facts.ts`. */
export function hookedClients(): Promise<Hooked[]> {
  const withSettings = clientList().flatMap((client) =>
    client.settings === undefined ? [] : [{ client, settings: client.settings }],
  )
  return Promise.all(
    withSettings.map(async ({ client, settings }) => {
      const { facts } = (await import(`./${client.id}/hook-facts.ts`)) as { facts: HookFacts }
      return { client, settings, facts }
    }),
  )
}

type Entry = { command: string; timeout?: number }

/** What we put into a client's settings: each event with its hook. */
export function entriesOf({ settings }: Hooked): (readonly [event: string, hook: Entry])[] {
  const hooks = settings.add({}).hooks as Record<string, { hooks: Entry[] }[]>
  return Object.entries(hooks).map(([event, [one]]) => [event, one!.hooks[0]!] as const)
}
