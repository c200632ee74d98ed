import { join, resolve } from 'node:path'
import type { RawTranscript } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientList, clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import { withTemporaryFolder } from '../../io/temporary-folder.ts'
import { isTalk } from '../../session/live-path.ts'
import { originOf } from '../../session/sharing/origin.ts'
import { titleFrom } from '../../session/title.ts'
import { journalPath } from '../../store/layout.ts'
import {
  type Binding,
  liveSegment,
  readBinding,
  type Segment,
  updateBinding,
} from '../../store/machine/binding.ts'
import { type JournalCopy, listGenerations, readJournalPart } from '../../store/machine/journal/journal.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { catchUpFrom } from '../conversation/catch-up.ts'
import { create } from '../conversation/create.ts'
import { paused } from '../conversation/pause.ts'
import { type Published, publishWhole } from '../conversation/publish.ts'
import { readConversation } from '../conversation/read.ts'
import { bytesOfTranscript, sizeOfTranscript } from '../conversation/transcript-bytes.ts'
import { listConversations } from '../finding/list.ts'
import { adoptFolder } from './into.ts'
import { exportedIn, sessionInFile } from './named-file.ts'
import { unrecordedOf } from './unrecorded.ts'

export interface ImportRequest {
  type: string
  title?: string | undefined
  /** Workspace-relative path of the conversation to import into; a folder without a session becomes one. */
  into?: string | undefined
}

type Native = { client: string; nativeId: string; transcript: string }

/**
 * The native sessions that an import names: one by its id, one by its file, or all of this folder. Throws `not-found`
 * for a session that is not there, and what sessionInFile throws.
 */
export function sessionsToImport(
  ws: Workspace,
  clientId: string,
  which: { nativeId?: string | undefined; file?: string | undefined; all?: boolean | undefined },
): NativeSession[] {
  const client = clientOf(clientId)
  if (which.file !== undefined) return [sessionInFile(clientId, resolve(ws.environment.cwd, which.file))]
  const sessions = client.sessions.locate(ws.environment, ws.environment.cwd)
  // The oldest first, so that the numbers of a day ascend.
  if (which.all === true) return sessions.toReversed()
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
 * it twice changes no byte. A new conversation is dated by its first message. Throws `refused` where nothing was said in
 * the session or the file is no transcript of the client, and what publish throws.
 */
export async function importSession(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
): Promise<Published> {
  const { client, nativeId } = session
  if (session.cwd !== '') clientOf(client).sessions.refresh?.(ws.environment, session)
  const held = knownConversation(ws, session)
  const begin = held === undefined ? beginOf(session) : undefined
  const known = request.into ?? held
  const path =
    known ??
    (
      await create(ws, {
        ...{ type: request.type, title: request.title ?? begin?.title ?? '' },
        ...{ at: begin?.at, origin: originOf(client, nativeId) },
      })
    ).path
  const adopted = request.into !== undefined && adoptFolder(ws, request.into)
  const part = known === undefined || adopted ? undefined : onlyUnrecorded(ws, known, session)
  const { size, generation } = await copyOf(ws, session)
  const native = { client, nativeId, transcript: session.transcript, journal: generation }
  takeUpTo(ws, native, path, part ?? { from: 0, to: size })
  return publishWhole(ws, path, known === undefined || adopted ? { change: paused } : {})
}

/**
 * Takes a session that goes on, and of which this machine knows nothing any more, into the conversation that it was
 * held in. Returns its path; undefined where there is none. Throws what publish throws.
 */
export async function takeInLost(
  ws: Workspace,
  { client, nativeId, transcript }: Native,
): Promise<string | undefined> {
  if (readBinding(ws.local, client, nativeId) !== undefined) return undefined
  const path = lackingConversation(ws, { client, nativeId })
  if (path === undefined) return undefined
  const session = { client, nativeId, transcript, title: '', cwd: '', lastActive: new Date(0), bytes: 0 }
  await importSession(ws, session, { type: '', into: path })
  return path
}

/** What the client's own export prints is copied as the transcript that it stands for. */
async function copyOf(ws: Workspace, { client, nativeId, transcript }: NativeSession): Promise<JournalCopy> {
  const native = { client, native_id: nativeId }
  const content = exportedIn(client, transcript)
  if (content === undefined)
    return earlierIn(ws, native, transcript) ?? catchUpFrom(ws, { ...native, transcript })
  return withTemporaryFolder([{ path: 'transcript', content }], async (folder) =>
    catchUpFrom(ws, { ...native, transcript: join(folder, 'transcript') }),
  )
}

/**
 * The journal that goes on from an earlier copy of its transcript, up to where that copy ends: it holds all of the copy.
 * Undefined where there is none, so that the transcript is to be copied.
 */
function earlierIn(
  ws: Workspace,
  native: { client: string; native_id: string },
  transcript: string,
): JournalCopy | undefined {
  const size = sizeOfTranscript({ client: native.client, transcript }) ?? 0
  const longer = listGenerations(journalPath(ws.local, native.client, native.native_id)).filter(
    (generation) => generation.size > size,
  )
  if (size === 0 || longer.length === 0) return undefined
  const bytes = bytesOfTranscript({ client: native.client, transcript })
  const one = longer.findLast(({ path }) => bytes.equals(readJournalPart(path, 0, bytes.length)))
  return one && { generation: one.name, size: bytes.length, copied: 0, restarted: false }
}

/**
 * When the first message of a session was said, and its title: the client's own, else what its first words make. Its
 * folder is named after that. Throws `refused` when nothing was said.
 */
function beginOf({ client: id, nativeId, transcript }: NativeSession): { at: Date; title: string } {
  const stands = exportedIn(id, transcript)
  const bytes = stands === undefined ? bytesOfTranscript({ client: id, transcript }) : Buffer.from(stands)
  const raw = { nativeId, bytes, sides: [], side: () => undefined }
  const { messages, facts } = clientOf(id).reading.read(raw)
  const said = messages.filter(isTalk)
  const [first] = said
  if (first === undefined) throw nothingSaid(id, raw, transcript)
  const at = new Date(first.timestamp)
  return { at: Number.isNaN(at.getTime()) ? new Date() : at, title: facts.title ?? titleFrom(said) ?? '' }
}

function nothingSaid(id: string, raw: RawTranscript, file: string): CortextError {
  const { name } = clientOf(id)
  const other = clientList().find((one) => {
    if (one.id === id) return false
    const stands = one.reading.fromExport?.(Buffer.from(raw.bytes).toString('utf8'))
    const bytes = stands === undefined ? raw.bytes : Buffer.from(stands)
    return one.reading.read({ ...raw, bytes }).messages.some(isTalk)
  })
  return other === undefined
    ? new CortextError('refused', `${file} holds nothing that was said in ${name}`, {
        fix: paste`look at it: head -c 300 ${file}`,
      })
    : new CortextError('refused', `${file} is a transcript of ${other.name}, not of ${name}`, {
        fix: paste`cortext import ${other.id} --file ${file}`,
      })
}

/**
 * Binds the session up to its present end, as ended. A segment that an earlier import made is extended, because two
 * segments could cut one message in two. A segment that is being written, or was ended on purpose, stays as it is.
 */
function takeUpTo(
  ws: Workspace,
  native: Native & { journal: string },
  path: string,
  { from, to: size }: { from: number; to: number },
): void {
  const { client, nativeId, transcript, journal } = native
  updateBinding(ws.local, client, nativeId, (now) => {
    const binding = now ?? { client, native_id: nativeId, transcript, root: ws.root, segments: [] }
    const held = binding.segments.findLast((one) => one.conversation === path)
    if (held === undefined || (held.how === 'import' && held.journal !== journal)) {
      const at = ws.environment.now().toISOString()
      const taken = { conversation: path, journal, from, to: size, how: 'import' as const }
      return besideLive(binding, { ...taken, started_at: at, ended_at: at, ended_by: 'stop' })
    }
    if (held.how !== 'import' || held.to === undefined || held.to >= size) return binding
    const longer = { ...held, to: size }
    return { ...binding, segments: binding.segments.map((one) => (one === held ? longer : one)) }
  })
}

/** The part of a session that a record lacks. The rest of the session may belong to other conversations, or to none. */
function onlyUnrecorded(ws: Workspace, path: string, { client, nativeId }: Named) {
  const found = unrecordedOf(ws, readConversation(ws, path))
  return found?.client === client && found.nativeId === nativeId ? found : undefined
}

/** Keeps a live segment last: the session may be recorded into another conversation in the meantime. */
function besideLive(binding: Binding, ended: Segment): Binding {
  const live = liveSegment(binding)
  const others = binding.segments.filter((one) => one !== live)
  return { ...binding, segments: [...others, ended, ...(live === undefined ? [] : [live])] }
}

/**
 * The conversation that holds a native session already: one whose record lacks something of it, or the one that this
 * machine or a session.json names.
 */
function knownConversation(ws: Workspace, session: NativeSession): string | undefined {
  const { client, nativeId } = session
  const lacking = lackingConversation(ws, session)
  if (lacking !== undefined) return lacking
  const bound = readBinding(ws.local, client, nativeId)?.segments.at(-1)?.conversation
  if (bound !== undefined) return bound
  return listConversations(ws).conversations.find(({ native }) => native.some(isThis(session)))?.path
}

/** The conversation whose record lacks something of this session, since this machine's own state was lost. */
function lackingConversation(ws: Workspace, session: Named): string | undefined {
  const may = listConversations(ws).conversations.filter(({ native, messages }) => {
    const last = native.at(-1)
    return last === undefined ? messages === 0 : isThis(session)(last)
  })
  return may.find(({ path }) => onlyUnrecorded(ws, path, session) !== undefined)?.path
}

type Named = Pick<NativeSession, 'client' | 'nativeId'>

function isThis({ client, nativeId }: Named) {
  return (one: { client: string; native_id: string }) => one.client === client && one.native_id === nativeId
}
