import type { Client } from '../../../clients/contract/client.ts'
import { clientList, installedClients } from '../../../clients/index.ts'
import type { Environment } from '../../../io/environment.ts'

/** Returns the installed clients, or all clients if none is installed. Other clients get no files. */
export function installedOrAll(environment: Environment): Client[] {
  const installed = installedClients(environment)
  return installed.length > 0 ? installed : clientList()
}

/** Names the commands that agents may run without asking the person. `init` writes rules for this. */
export function whatRunsUnasked(clients: readonly Client[]): string[] {
  const able = clients.filter(({ unasked }) => unasked !== undefined)
  const calls = [...new Set(able.map(({ unasked }) => `\`${unasked}\``))].join(', ')
  const who =
    able.length === clients.length ? 'Your agents' : `Agents in ${able.map(({ name }) => name).join(', ')}`
  return able.length === 0
    ? []
    : [`${who} may run ${calls} unasked, to read conversations and record their own (SECURITY.md).`]
}

/** Says what clients will ask the person about new files and settings of ours. */
export function whatIsAsked(questions: readonly (string | undefined)[]): string[] {
  return questions.flatMap((question) => (question === undefined ? [] : [`${question}.`]))
}

/** The first command as a person types it: `/workspace.brainstorm <topic>, or $workspace-brainstorm <topic> in …`. */
export function firstCommand(clients: readonly Client[]): string {
  const name = 'workspace.brainstorm'
  const others = clients.filter(({ pack }) => pack.typed !== undefined)
  const ways = others.map((client) => `${client.pack.typed!(name)} <topic> in ${client.name}`)
  return [...(others.length < clients.length ? [`/${name} <topic>`] : []), ...ways].join(', or ')
}
