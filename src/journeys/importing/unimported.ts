import type { Client } from '../../clients/contract/client.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientList } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/run.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import { listConversations } from '../finding/list.ts'

type Native = { client: string; native_id: string }

export interface Unimported {
  /** Newest first. */
  sessions: NativeSession[]
  /** Clients that are installed but did not list their sessions. */
  silent: { name: string; fix: string }[]
}

/**
 * Returns the native sessions of this folder, of every client, that no conversation names. Reads only the heads of
 * files.
 */
export function unimportedSessions(environment: Environment, ws: Workspace | undefined): Unimported {
  return unimportedIn(environment, environment.cwd, clientList(), ws === undefined ? [] : keptIn(ws))
}

/** Returns the native sessions that these clients have for a folder, without the kept sessions. */
export function unimportedIn(
  environment: Environment,
  folder: string,
  clients: readonly Client[],
  kept: readonly Native[],
): Unimported {
  const keptNames = new Set(kept.map(nameOf))
  const unimported: Unimported = { sessions: [], silent: [] }
  for (const client of clients)
    try {
      const sessions = client.sessions.locate(environment, folder)
      for (const one of sessions)
        if (!keptNames.has(nameOf({ ...one, native_id: one.nativeId }))) unimported.sessions.push(one)
    } catch (error) {
      if (!(error instanceof CortextError) || error.code !== 'client-failed') throw error
      // One client's failure does not hide the sessions of the others.
      if (findProgram(client.id, environment.env) !== undefined)
        unimported.silent.push({ name: client.name, fix: error.fix ?? client.install })
    }
  unimported.sessions.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
  return unimported
}

function keptIn(ws: Workspace): Native[] {
  return [...listBindings(ws.local), ...listConversations(ws).conversations.flatMap(({ native }) => native)]
}

function nameOf({ client, native_id }: Native): string {
  return `${client} ${native_id}`
}
