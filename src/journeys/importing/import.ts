import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import {
  type Binding,
  liveSegment,
  readBinding,
  type Segment,
  updateBinding,
} from '../../store/machine/binding.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { catchUpFrom } from '../conversation/catch-up.ts'
import { create } from '../conversation/create.ts'
import { pause } from '../conversation/pause.ts'
import { type Published, publish } from '../conversation/publish.ts'
import { listConversations } from '../finding/list.ts'

export interface ImportRequest {
  type: string
  title?: string | undefined
  /** Workspace-relative path of the conversation to import into. */
  into?: string | undefined
}

type Native = { client: string; nativeId: string; transcript: string }

/**
 * The native sessions that an import names: one by its id, one by its file, or all of this folder. Throws `not-found`
 * for a file that is not there.
 */
export function sessionsToImport(
  ws: Workspace,
  clientId: string,
  which: { nativeId?: string | undefined; file?: string | undefined; all?: boolean | undefined },
): NativeSession[] {
  const client = clientOf(clientId)
  if (which.file !== undefined) return [ofFile(clientId, resolve(ws.environment.cwd, which.file))]
  const sessions = client.sessions.locate(ws.environment, ws.environment.cwd)
  if (which.all === true) return sessions
  const found = sessions.filter((one) => one.nativeId === which.nativeId)
  if (found.length > 0) return found
  throw new CortextError(
    'not-found',
    sessions.length === 0
      ? `${client.name} has no sessions of ${ws.environment.cwd}`
      : which.nativeId === undefined
        ? `which of the ${sessions.length} ${client.name} sessions of this folder?`
        : `no ${client.name} session ${which.nativeId} in this folder`,
    {
      fix:
        sessions[0] === undefined
          ? paste`change into the folder it was held in, or name a file: cortext import ${clientId} --file <path>`
          : paste`cortext import ${clientId} ${sessions[0].nativeId}`,
    },
  )
}

/**
 * Imports a whole native session. A session that a conversation holds already is brought up to date there, so importing
 * it twice changes no byte. Throws what publish throws.
 */
export async function importSession(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
): Promise<Published> {
  const native: Native = {
    client: session.client,
    nativeId: session.nativeId,
    transcript: session.transcript,
  }
  if (session.cwd !== '') clientOf(session.client).sessions.refresh?.(ws.environment, session)
  const known = request.into ?? knownConversation(ws, session)
  const path = known ?? (await create(ws, { type: request.type, title: request.title ?? session.title })).path
  const { size, generation } = catchUpFrom(ws, { ...native, native_id: native.nativeId })
  takeUpTo(ws, { ...native, journal: generation }, path, size)
  return known === undefined ? pause(ws, path) : publish(ws, path)
}

/**
 * Binds the session up to its present end, as ended. A segment that an earlier import made is extended, because two
 * segments could cut one message in two. A segment that is being written, or was ended on purpose, stays as it is.
 */
function takeUpTo(ws: Workspace, native: Native & { journal: string }, path: string, size: number): void {
  const { client, nativeId, transcript, journal } = native
  updateBinding(ws.local, client, nativeId, (now) => {
    const binding = now ?? { client, native_id: nativeId, transcript, root: ws.root, segments: [] }
    const held = binding.segments.findLast((one) => one.conversation === path)
    if (held === undefined || (held.how === 'import' && held.journal !== journal)) {
      const at = ws.environment.now().toISOString()
      const taken = { conversation: path, journal, from: 0, to: size, how: 'import' as const }
      return besideLive(binding, { ...taken, started_at: at, ended_at: at, ended_by: 'stop' })
    }
    if (held.how !== 'import' || held.to === undefined || held.to >= size) return binding
    const longer = { ...held, to: size }
    return { ...binding, segments: binding.segments.map((one) => (one === held ? longer : one)) }
  })
}

/** Keeps a live segment last: the session may be recorded into another conversation in the meantime. */
function besideLive(binding: Binding, ended: Segment): Binding {
  const live = liveSegment(binding)
  const others = binding.segments.filter((one) => one !== live)
  return { ...binding, segments: [...others, ended, ...(live === undefined ? [] : [live])] }
}

/** The conversation that holds a native session already, on this machine or as a session.json says. */
function knownConversation(ws: Workspace, session: NativeSession): string | undefined {
  const bound = readBinding(ws.local, session.client, session.nativeId)?.segments.at(-1)?.conversation
  if (bound !== undefined) return bound
  return listConversations(ws).conversations.find((one) =>
    one.native.some((part) => part.client === session.client && part.native_id === session.nativeId),
  )?.path
}

function ofFile(client: string, file: string): NativeSession {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile())
    throw new CortextError('not-found', `no transcript at ${file}`, {
      fix: paste`cortext import ${client} --all`,
    })
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
