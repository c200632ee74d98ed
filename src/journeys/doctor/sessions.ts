import type { Client, NativeSession } from '../../clients/client.ts'
import { findProgram } from '../../io/run.ts'
import { oneLine } from '../../session/title.ts'
import { quotePath } from '../../text/quote-path.ts'
import type { Workspace } from '../../workspace/open.ts'
import { unkeptBeside } from '../importing/unimported.ts'
import { count, type Finding, note, ok } from './finding.ts'

const DAY = 24 * 60 * 60_000

/**
 * What the clients hold of this workspace themselves that no conversation does, and when they delete it. `clients`: those
 * that answer; one may be asked by running it.
 */
export function sessionFindings(
  ws: Workspace,
  clients: readonly Client[],
  kept: readonly { client: string; native_id: string }[],
): Finding[] {
  return clients.flatMap((client) => {
    const { sessions: unkept, silent } = unkeptBeside(ws.place, ws.root, [client], kept)
    if (unkept.length === 0 && findProgram(client.id, ws.place.env) === undefined) return []
    const unanswered = silent.map(({ name, fix }) =>
      note('sessions-unknown', `${name} did not tell its sessions`, fix),
    )
    return [...unanswered, ...unkeptFinding(ws, client, unkept), retentionFinding(ws, client, unkept.at(-1))]
  })
}

function unkeptFinding(ws: Workspace, { id, name }: Client, unkept: readonly NativeSession[]): Finding[] {
  if (unkept.length === 0) return []
  const sessions = `${count(unkept.length, 'session')} of ${name} in ${ws.root}`
  return [note('not-kept', `${sessions} ${unkept.length === 1 ? 'is' : 'are'} not kept`, importAll(ws, id))]
}

function retentionFinding(ws: Workspace, client: Client, oldest: NativeSession | undefined): Finding {
  const { id, name } = client
  const retention = client.retention?.(ws.place, ws.root)
  if (retention === undefined) return ok('retention', `${name} does not delete its sessions`)
  const says = `${name} deletes its own sessions after ${count(Math.round(retention.days * 10) / 10, 'day')} (${retention.setting})`
  if (oldest === undefined) return ok('retention', says)
  const left = Math.ceil((oldest.lastActive.getTime() - ws.place.now().getTime()) / DAY + retention.days)
  const when = left <= 0 ? 'at its next start' : `in ${count(left, 'day')}`
  const title = oneLine(oldest.title) || oldest.nativeId
  return note(
    'retention',
    `${says}; the next that is not kept here goes ${when}: "${title}"`,
    importAll(ws, id),
  )
}

/** It takes the sessions of the folder that it is run in. */
function importAll({ place, root }: Workspace, id: string): string {
  const keep = `cortext import ${id} --all`
  return place.cwd === root ? keep : `cd ${quotePath(root)} && ${keep}`
}
