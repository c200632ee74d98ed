import type { Reader } from '../../clients/contract/reader.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerList } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { findProgram } from '../../io/program.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Listed, listConversations } from '../finding/list.ts'

type Native = { client: string; native_id: string }

export interface Unimported {
  /** Newest first. */
  sessions: NativeSession[]
  /** The others, which no person held. Nobody is offered them. */
  automated: NativeSession[]
  /** Clients that are installed but did not list their sessions. */
  silent: { name: string; fix: string }[]
}

/**
 * Returns the native sessions of all clients in the working folder, except those that a conversation names. Reads only
 * the beginnings of files. `conversations` are all conversations of the workspace, if the caller has listed them.
 */
export function unimportedSessions(
  environment: Environment,
  ws: Workspace | undefined,
  conversations?: readonly Pick<Listed, 'native'>[],
): Unimported {
  const kept = ws === undefined ? [] : keptIn(ws, conversations)
  return unimportedIn(environment, environment.cwd, readerList(), kept)
}

/** How many sessions of a client no conversation has, and the command that saves them. */
export interface NotSaved {
  client: string
  sessions: number
  command: string
}

/** Counts the sessions of the working folder that no conversation has, for each client that has some. */
export function notSavedIn(environment: Environment, ws: Workspace): NotSaved[] {
  return countByClient(unimportedSessions(environment, ws).sessions)
}

export function countByClient(sessions: readonly NativeSession[]): NotSaved[] {
  return readerList().flatMap(({ id }) => {
    const count = sessions.filter(({ client }) => client === id).length
    return count === 0 ? [] : [{ client: id, sessions: count, command: paste`cortext import ${id} --all` }]
  })
}

/** Returns the native sessions that these clients have for a folder and that are not in `kept`. */
export function unimportedIn(
  environment: Environment,
  folder: string,
  clients: readonly Reader[],
  kept: Iterable<Native>,
): Unimported {
  // `kept` is read only when a client has a session.
  let keptNames: Set<string> | undefined
  const unimported: Unimported = { sessions: [], automated: [], silent: [] }
  for (const client of clients)
    try {
      const sessions = client.sessions.locate(environment, folder)
      if (sessions.length > 0) keptNames ??= new Set([...kept].map(nameOf))
      for (const one of sessions)
        if (!keptNames!.has(nameOf({ ...one, native_id: one.nativeId })))
          unimported[one.automated ? 'automated' : 'sessions'].push(one)
    } catch (error) {
      if (!(error instanceof CortextError) || error.code !== 'client-failed') throw error
      // One client's failure does not hide the sessions of the others.
      if (findProgram(client.id, environment.env) !== undefined)
        unimported.silent.push({ name: client.name, fix: error.fix ?? 'cortext doctor' })
    }
  unimported.sessions.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
  return unimported
}

/** Those of some sessions that no conversation has. */
export function unimportedAmong(ws: Workspace, sessions: readonly NativeSession[]): NativeSession[] {
  if (sessions.length === 0) return []
  const names = new Set([...keptIn(ws)].map(nameOf))
  return sessions.filter((one) => !names.has(nameOf({ ...one, native_id: one.nativeId })))
}

function* keptIn(ws: Workspace, conversations?: readonly Pick<Listed, 'native'>[]): Generator<Native> {
  yield* listBindings(ws.local)
  for (const { native } of conversations ?? listConversations(ws).conversations) yield* native
}

function nameOf({ client, native_id }: Native): string {
  return `${client} ${native_id}`
}

/** Says how many sessions are left out because no person held them, and how to import them. */
export function automatedNote(count: number, command: string): string[] {
  if (count === 0) return []
  const which = count === 1 ? '1 session that no person held is' : `${count} sessions that no person held are`
  return [`${which} left out; to import ${count === 1 ? 'it' : 'them'} too: ${command} --automated`]
}
