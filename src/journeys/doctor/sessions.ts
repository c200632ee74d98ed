import type { Client } from '../../clients/contract/client.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { findProgram } from '../../io/program.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { listConversations, nameAndTitle } from '../finding/list.ts'
import { notSaved, partsInWords } from '../not-saved/index.ts'
import { sessionsNotSaved } from '../not-saved/sessions.ts'
import { type Finding, note, ok, problem } from './finding.ts'

const DAY = 24 * 60 * 60_000

/**
 * Reports the clients' sessions of this folder that are not saved, and when the client deletes them. Some clients'
 * programs are run to list their sessions, so `clients` must not contain clients whose program does not work.
 */
export function sessionFindings(
  ws: Workspace,
  clients: readonly Client[],
  saved: readonly { client: string; native_id: string }[],
): Finding[] {
  return clients.flatMap((client) => {
    const { sessions, automated, silent } = sessionsNotSaved(ws.environment, ws.root, saved, [client])
    if (sessions.length === 0 && findProgram(client.id, ws.environment.env) === undefined) return []
    const unanswered = silent.map(({ name, fix }) =>
      note('sessions-unknown', `${name} did not list its sessions`, fix),
    )
    return [
      ...unanswered,
      ...notSavedFinding(ws, client, sessions, automated.length),
      retentionFinding(ws, client, oldestFile(sessions)),
    ]
  })
}

/**
 * Reports talk that is only in a client's own session. It is a problem if the talk was recorded and the local folder is
 * lost. It is a note if the talk was before a start or after a stop.
 */
export async function notSavedFindings(ws: Workspace): Promise<Finding[]> {
  const { conversations } = listConversations(ws)
  const found = await notSaved(ws, conversations, { fresh: true })
  return found.map(({ client, nativeId, parts, command }) => {
    const words = partsInWords(parts, (path) => nameAndTitle(conversations, path))
    const message = `${readerOf(client).name} ${nativeId}: not saved: ${words}`
    const lost = parts.some(({ why }) => why === 'lost')
    return (lost ? problem : note)(lost ? 'unrecorded' : 'not-saved', message, inRoot(ws, command))
  })
}

function notSavedFinding(
  ws: Workspace,
  { id, name }: Client,
  sessions: readonly NativeSession[],
  automated: number,
): Finding[] {
  if (sessions.length === 0) return []
  const which = `${countOf(sessions.length, 'session')} of ${name} in ${ws.root}`
  return [
    note(
      'not-saved',
      `${which} ${sessions.length === 1 ? 'is' : 'are'} not saved${automated === 0 ? '' : `, and ${automated} that no person held`}`,
      importAll(ws, id),
    ),
  ]
}

interface OldestFile {
  session: NativeSession
  mtimeMs: number
}

/** The session whose file has not changed for longest: a client deletes by the time of the file. */
function oldestFile(sessions: readonly NativeSession[]): OldestFile | undefined {
  return sessions
    .map((session) => ({
      session,
      mtimeMs: stampOfTranscript(session.transcript)?.mtime ?? session.lastActive.getTime(),
    }))
    .sort((a, b) => a.mtimeMs - b.mtimeMs)[0]
}

function retentionFinding(ws: Workspace, client: Client, oldest: OldestFile | undefined): Finding {
  const { id, name } = client
  const retention = client.sessions.retention?.(ws.environment, ws.root)
  if (retention === undefined) return ok('retention', `${name} does not delete its sessions`)
  const says = `${name} deletes its own sessions after ${countOf(Math.round(retention.days * 10) / 10, 'day')} (${retention.setting})`
  if (oldest === undefined) return ok('retention', says)
  const left = Math.ceil((oldest.mtimeMs - ws.environment.now().getTime()) / DAY + retention.days)
  const when = left <= 0 ? 'at its next start' : `in ${countOf(left, 'day')}`
  const title = oneLine(oldest.session.title) || oldest.session.nativeId
  return note(
    'retention',
    `${says}; of the sessions that are not saved here, the first is deleted ${when}: "${title}"`,
    importAll(ws, id),
  )
}

/**
 * The command that imports all sessions of a client. It imports those of its working folder, so it must run in the
 * root.
 */
function importAll({ environment, root }: Workspace, id: string): string {
  return inRoot({ environment, root }, paste`cortext import ${id} --all`)
}

function inRoot({ environment, root }: Pick<Workspace, 'environment' | 'root'>, command: string): string {
  return environment.cwd === root ? command : `${paste`cd ${root}`} && ${command}`
}
