import type { Client } from '../clients/contract/client.ts'
import { clientList, clientOf } from '../clients/index.ts'
import { CortextError } from '../errors.ts'
import { findProgram } from '../io/run.ts'
import type { Listed } from '../journeys/finding/list.ts'
import { usedClients } from '../journeys/recording/used-clients.ts'
import type { Workspace } from '../workspace/open.ts'
import { select } from './ask.ts'
import { note } from './print.ts'

/**
 * Chooses by `--in` › the conversation's last client › config › the only one installed › asking. The last client
 * and config are files of the workspace, which may have come from somebody else. So they only suggest a client that was
 * never used here: if another one is installed, the person is asked, or told when there is no terminal. When nothing will
 * start, nobody is asked, and the first client is taken.
 */
export async function chooseClient(
  ws: Workspace,
  chosen: Listed | undefined,
  wanted: string | undefined,
  starts = true,
): Promise<string> {
  if (wanted !== undefined) return clientOf(wanted).id
  const installed = clientList().filter((client) => findProgram(client.id, ws.environment.env) !== undefined)
  const suggested = suggestion(ws, chosen)
  if (suggested !== undefined) {
    const others = installed.filter((one) => one !== suggested)
    if (!starts || others.length === 0 || usedClients(ws).has(suggested.id)) return suggested.id
    if (ws.environment.interactive && installed.includes(suggested)) return ask([suggested, ...others])
    note(
      `Going on in ${suggested.name}, as the conversation says; it was not used here before. Another one: --in ${others[0]!.id}`,
    )
    return suggested.id
  }
  if (installed.length === 1) return installed[0]!.id
  const candidates = installed.length > 0 ? installed : clientList()
  if (candidates.length === 1 || !starts) return candidates[0]!.id
  if (!ws.environment.interactive)
    throw new CortextError('usage', 'which client?', {
      fix: `--in ${candidates.map((one) => one.id).join(' | --in ')}`,
    })
  return ask(candidates)
}

function suggestion(ws: Workspace, chosen: Listed | undefined): Client | undefined {
  const last = chosen?.native.at(-1)?.client ?? chosen?.client
  const known = clientList().find(({ id }) => id === last)
  return known ?? (ws.config.client === undefined ? undefined : clientOf(ws.config.client))
}

function ask(candidates: readonly Client[]): Promise<string> {
  return select(
    'Which client?',
    candidates.map((client) => ({ name: client.name, value: client.id })),
  )
}
