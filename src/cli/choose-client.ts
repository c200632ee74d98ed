import type { Client } from '../clients/contract/client.ts'
import { clientList, clientOf, installedClients, isImportOnly, readerOf } from '../clients/index.ts'
import { CortextError } from '../errors.ts'
import type { Listed } from '../journeys/finding/list.ts'
import { usedClients } from '../journeys/setup/set-up-clients.ts'
import type { Workspace } from '../workspace/open.ts'
import { select } from './ask.ts'
import { note } from './print.ts'

/**
 * Chooses a client by the first of these that there is:
 * 1. the option `--in`
 * 2. the conversation's last client
 * 3. the setting `client`
 * 4. the only installed client
 * 5. a question
 *
 * The conversation and the setting suggest a client, and another person may have written both. If the suggested client
 * was never used here and another one is installed, the person is asked first. Without a terminal, or if the suggested
 * client is not installed, the person only gets a note.
 *
 * If `starts` is false, nothing is asked: the client is the suggested one, else the first installed one, else the first
 * of all clients. If the conversation's last client is import-only, it is passed over, and the person gets a note.
 * Throws `usage` if a question is needed and there is no terminal.
 */
export async function chooseClient(
  ws: Workspace,
  chosen: Listed | undefined,
  wanted: string | undefined,
  starts = true,
): Promise<string> {
  if (wanted !== undefined) return clientOf(wanted).id
  const last = chosen?.native.at(-1)?.client ?? chosen?.client ?? ''
  if (!isImportOnly(last)) return choose(ws, last, starts)
  note(
    `This was said in ${readerOf(last).name}, from which cortext can only import: it goes on in another client.`,
  )
  return choose(ws, '', starts)
}

async function choose(ws: Workspace, last: string, starts: boolean): Promise<string> {
  const installed = installedClients(ws.environment)
  const suggested = suggestion(ws, last)
  if (suggested !== undefined) {
    const others = installed.filter((one) => one !== suggested)
    if (!starts || others.length === 0 || usedClients(ws).has(suggested.id)) return suggested.id
    if (ws.environment.interactive && installed.includes(suggested)) return ask([suggested, ...others])
    note(
      `Going on in ${suggested.name}, as the conversation or the settings say; ${suggested.name} was not used here before. Another client: --in ${others[0]!.id}`,
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

function suggestion(ws: Workspace, last: string): Client | undefined {
  const named = clientList().find(({ id }) => id === last)
  return named ?? (ws.config.client === undefined ? undefined : clientOf(ws.config.client))
}

function ask(candidates: readonly Client[]): Promise<string> {
  return select(
    'Which client?',
    candidates.map((client) => ({ name: client.name, value: client.id })),
  )
}
