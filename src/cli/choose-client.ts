import { clientList, clientOf } from '../clients/index.ts'
import { CortextError } from '../errors.ts'
import { findProgram } from '../io/run.ts'
import type { Listed } from '../journeys/finding/list.ts'
import type { Workspace } from '../workspace/open.ts'
import { select } from './ask.ts'

/**
 * Chooses by `--in` › the conversation's last client › config › the only one installed › asking. When nothing
 * will be started, nobody is asked: the first client will do.
 */
export async function chooseClient(
  ws: Workspace,
  chosen: Listed | undefined,
  wanted: string | undefined,
  starts = true,
): Promise<string> {
  if (wanted !== undefined) return clientOf(wanted).id
  const known = clientList().map((client) => client.id)
  const last = chosen?.native.at(-1)?.client ?? chosen?.client
  if (last !== undefined && known.includes(last)) return last
  if (ws.config.client !== undefined) return clientOf(ws.config.client).id
  const installed = clientList().filter((client) => findProgram(client.id, ws.environment.env) !== undefined)
  if (installed.length === 1) return installed[0]!.id
  const candidates = installed.length > 0 ? installed : clientList()
  if (candidates.length === 1 || !starts) return candidates[0]!.id
  if (!ws.environment.interactive)
    throw new CortextError('usage', 'which client?', {
      fix: `--in ${candidates.map((one) => one.id).join(' | --in ')}`,
    })
  return select(
    'Which client?',
    candidates.map((client) => ({ name: client.name, value: client.id })),
  )
}
