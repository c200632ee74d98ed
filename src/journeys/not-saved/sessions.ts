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

/** A session that no conversation has, and the command that saves it. */
export interface SessionNotSaved extends NativeSession {
  command: string
}

export interface SessionsNotSaved {
  /** Newest first. */
  sessions: SessionNotSaved[]
  /** The others, which no person held. Nobody is offered them. */
  automated: SessionNotSaved[]
  /** Clients that are installed but did not list their sessions. */
  silent: { name: string; fix: string }[]
}

/**
 * Returns the native sessions that these clients have for a folder and that are not in `saved`. Reads only the beginnings
 * of files.
 */
export function sessionsNotSaved(
  environment: Environment,
  folder: string,
  saved: Iterable<Native>,
  clients = readerList(),
): SessionsNotSaved {
  const found: SessionsNotSaved = { sessions: [], automated: [], silent: [] }
  const isSaved = among(saved)
  for (const client of clients)
    try {
      for (const one of client.sessions.locate(environment, folder))
        if (!isSaved(one)) {
          const command = paste`cortext import ${client.id} ${one.nativeId}`
          found[one.automated ? 'automated' : 'sessions'].push({ ...one, command })
        }
    } catch (error) {
      if (!(error instanceof CortextError) || error.code !== 'client-failed') throw error
      // One client's failure does not hide the sessions of the others.
      if (findProgram(client.id, environment.env) !== undefined)
        found.silent.push({ name: client.name, fix: error.fix ?? 'cortext doctor' })
    }
  found.sessions.sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
  return found
}

/** Those of some sessions that no conversation has. */
export function notSavedAmong(ws: Workspace, sessions: readonly NativeSession[]): NativeSession[] {
  const isSaved = among(savedIn(ws))
  return sessions.filter((one) => !isSaved(one))
}

/**
 * The sessions of which conversations have a part, or may have one. `conversations` are all conversations of the
 * workspace, if the caller has listed them.
 */
export function* savedIn(
  ws: Workspace,
  conversations?: readonly Pick<Listed, 'native'>[],
): Generator<Native> {
  yield* listBindings(ws.local)
  for (const { native } of conversations ?? listConversations(ws).conversations) yield* native
}

/** Whether a session is one of these, which are read only when somebody asks. */
function among(natives: Iterable<Native>): (session: NativeSession) => boolean {
  let names: Set<string> | undefined
  return ({ client, nativeId }) => {
    names ??= new Set([...natives].map((one) => `${one.client} ${one.native_id}`))
    return names.has(`${client} ${nativeId}`)
  }
}

/** How many sessions of a client no conversation has, and the command that saves them. */
export interface CountNotSaved {
  client: string
  sessions: number
  command: string
}

/** Counts the sessions of the workspace that no conversation has, for each client that has some. */
export function countNotSaved(ws: Workspace): CountNotSaved[] {
  return countByClient(sessionsNotSaved(ws.environment, ws.root, savedIn(ws)).sessions)
}

export function countByClient(sessions: readonly NativeSession[]): CountNotSaved[] {
  return readerList().flatMap(({ id }) => {
    const count = sessions.filter(({ client }) => client === id).length
    return count === 0 ? [] : [{ client: id, sessions: count, command: paste`cortext import ${id} --all` }]
  })
}

/** Says how many sessions are left out because no person held them, and how to import them. */
export function automatedNote(count: number, command: string): string[] {
  if (count === 0) return []
  const which = count === 1 ? '1 session that no person held is' : `${count} sessions that no person held are`
  return [`${which} left out; to import ${count === 1 ? 'it' : 'them'} too: ${command} --automated`]
}
