import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { NativeSession } from '../clients/client.ts'
import { clientOf } from '../clients/index.ts'
import { CortextError } from '../errors.ts'
import { readBinding } from '../store/binding.ts'
import { bind, unbind } from './binding.ts'
import { listConversations } from './list.ts'
import type { Workspace } from './open.ts'
import { type Published, publish } from './publish.ts'
import { catchUp } from './read-stretch.ts'
import { create } from './start.ts'
import { pause } from './stop.ts'

export interface ImportRequest {
  type: string
  title?: string | undefined
  /** Workspace-relative path of the conversation to import into. */
  into?: string | undefined
}

/** The native sessions that an import names: one by its id, one by its file, or all of this folder. */
export function sessionsToImport(
  ws: Workspace,
  clientId: string,
  which: { nativeId?: string | undefined; file?: string | undefined; all?: boolean | undefined },
): NativeSession[] {
  const client = clientOf(clientId)
  if (which.file !== undefined) return [ofFile(clientId, resolve(ws.place.cwd, which.file))]
  const sessions = client.locate(ws.place, ws.place.cwd)
  if (which.all === true) return sessions
  const found = sessions.filter((one) => one.nativeId === which.nativeId)
  if (found.length > 0) return found
  throw new CortextError(
    'not-found',
    which.nativeId === undefined
      ? `which of the ${sessions.length} ${client.name} sessions of this folder?`
      : `no ${client.name} session ${which.nativeId} in this folder`,
    {
      fix:
        sessions[0] === undefined
          ? 'cortext import --help'
          : `cortext import ${clientId} ${sessions[0].nativeId}`,
    },
  )
}

/**
 * Takes a native session in, whole. One that a conversation holds already is brought up to date there: doing it
 * twice changes no byte.
 */
export async function importSession(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
): Promise<Published> {
  const native = { client: session.client, nativeId: session.nativeId, transcript: session.transcript }
  const known = request.into ?? knownConversation(ws, session)
  const path = known ?? (await create(ws, { type: request.type, title: request.title ?? session.title })).path
  const { size, generation } = catchUp(ws, { ...native, native_id: native.nativeId })
  const binding = readBinding(ws.local, native.client, native.nativeId)
  const held = binding?.stretches.findLast((one) => one.conversation === path)
  // A stretch that is being written, or ended on purpose, is not ours to extend.
  if (held === undefined || (held.how === 'import' && (held.to ?? size) < size)) {
    bind(ws, { ...native, journal: generation }, { conversation: path, how: 'import', from: held?.to ?? 0 })
    unbind(ws, native, { to: size, by: 'stop' })
  }
  return known === undefined ? pause(ws, path) : publish(ws, path)
}

/** The conversation that holds a native session already, on this machine or by what session.json says. */
function knownConversation(ws: Workspace, session: NativeSession): string | undefined {
  const bound = readBinding(ws.local, session.client, session.nativeId)?.stretches.at(-1)?.conversation
  if (bound !== undefined) return bound
  return listConversations(ws).conversations.find((one) =>
    one.session.agent_sessions.some(
      (part) => part.client === session.client && part.native_id === session.nativeId,
    ),
  )?.path
}

function ofFile(client: string, file: string): NativeSession {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile())
    throw new CortextError('not-found', `no transcript at ${file}`, { fix: `cortext import ${client} --all` })
  return {
    client,
    nativeId: basename(file).replace(/\.[^.]+$/, ''),
    transcript: file,
    title: '',
    cwd: '',
    lastActive: found.mtime,
    bytes: found.size,
  }
}
