import { basename, join, resolve } from 'node:path'
import { toolVocabulary } from '../../clients/all-tools.ts'
import type { ReadReport } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { historyOf } from '../../context/select-strategy.ts'
import { recordFacts } from '../../context/state/deeds.ts'
import { summaryFacts } from '../../context/state/summary-facts.ts'
import { catchUpFrom } from '../../conversation/catch-up.ts'
import { create } from '../../conversation/create.ts'
import { paused } from '../../conversation/pause.ts'
import { publish } from '../../conversation/publish.ts'
import type { Found, Published, State } from '../../conversation/publishing/write.ts'
import { readConversation } from '../../conversation/read.ts'
import { bytesOfTranscript, sizeOfTranscript } from '../../conversation/transcript-bytes.ts'
import { CortextError } from '../../errors.ts'
import { fileError } from '../../io/file-error.ts'
import { withTemporaryFolder } from '../../io/temporary-folder.ts'
import { NOT_NOTED, NOT_RUN } from '../../session/control-turns.ts'
import type { SessionFile } from '../../session/schema.ts'
import { originOf } from '../../session/sharing/origin.ts'
import { summaryFromRecord, withoutLastSaid } from '../../session/summary.ts'
import { journalPath } from '../../store/layout.ts'
import { readBinding, updateBinding } from '../../store/machine/binding.ts'
import { fillBlanks } from '../../store/machine/journal/blank-journal.ts'
import { readForgotten } from '../../store/machine/journal/forgotten.ts'
import { type JournalCopy, listGenerations, readJournalPart } from '../../store/machine/journal/journal.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { paste } from '../../text/paste.ts'
import { PLAIN_TYPE } from '../../text/plain-type.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type Listed, type Listing, listConversations } from '../finding/list.ts'
import { type Compared, compareSession } from '../not-saved/compare.ts'
import type { Transcript } from '../not-saved/named-sessions.ts'
import type { Part } from '../not-saved/parts.ts'
import { bindPart, emptyBinding } from '../recording/bind.ts'
import type { CurrentSession } from '../recording/current-session.ts'
import { endOfTalk } from '../recording/said-in-session.ts'
import { beginningOf } from './beginning.ts'
import { adoptFolder } from './into.ts'
import { bytesOfSession, exportedIn, sessionInFile } from './named-file.ts'
import { sameTalk, withOwnId } from './same-session.ts'

export interface ImportRequest {
  /** Absent: the type whose command the person typed in the session, else the plain one. */
  type?: string | undefined
  title?: string | undefined
  /** Workspace-relative path of the conversation to import into; a folder without a session becomes a conversation. */
  into?: string | undefined
  /** About how many bytes of a long transcript are published at a time. */
  pieceBytes?: number | undefined
  /** Git's answers. A caller with many sessions asks git once and passes them. */
  state?: State | undefined
}

/**
 * Returns the native sessions that an import names: the session with an id, the session in a file, or all sessions of
 * the working folder. Throws `not-found` for a session that is not there, and what sessionInFile throws.
 */
export function sessionsToImport(
  ws: Workspace,
  clientId: string,
  which: { nativeId?: string; file?: string; all?: true },
): NativeSession[] {
  const client = readerOf(clientId)
  if (which.file !== undefined) return [sessionInFile(clientId, resolve(ws.environment.cwd, which.file))]
  const sessions = client.sessions.locate(ws.environment, ws.environment.cwd)
  // The oldest session comes first, so that it gets the lowest number of its day.
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
          ? paste`change into the session's folder, or name a file: cortext import ${clientId} --file <path>`
          : paste`cortext import ${clientId} ${sessions[0].nativeId}`,
    },
  )
}

export interface Imported extends Published {
  /** Further conversations into which something was imported. */
  besides: Published[]
  /** Present if conversations had a part of the session before the import. */
  account?: Account
}

/** The conversations that have the messages of a native session after an import. */
export interface Account {
  /** The byte ledger of the transcript. */
  report: ReadReport
  /** The conversations that had messages of the session before the import. */
  before: { path: string; messages: number }[]
  /** The conversations into which messages were imported now. */
  taken: { path: string; messages: number }[]
}

/**
 * Imports a native session. If conversations already have a part of the session, imports only the other parts: each
 * into the conversation to which it belongs, or all into `into`. So a second import changes no byte. Otherwise imports
 * the whole session: into `into`, into the conversation with the same talk, or into a new one with the date of the
 * session's first message. Throws `refused` if nothing was said in the session or the file is not a transcript of the
 * client, `unreadable` if it is too large, and what publish throws.
 */
export async function importSession(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
): Promise<Imported> {
  try {
    return await importAny(ws, session, request)
  } catch (error) {
    // Some clients keep a session in one text, which can be too long for node.
    throw fileError(error, session.transcript, 'read')
  }
}

async function importAny(ws: Workspace, given: NativeSession, request: ImportRequest): Promise<Imported> {
  if (given.cwd !== '') readerOf(given.client).sessions.refresh?.(ws.environment, given)
  let listed: Listing | undefined
  const listing = () => (listed ??= listConversations(ws))
  const conversations = () => listing().conversations
  // A file that a person named may be of another session with the same id.
  const session = given.cwd === '' ? withOwnId(ws, given, conversations()) : given
  const whole = importedWhole(ws, session)
  const isMeant = (path: string | undefined) => path !== undefined && path === (request.into ?? path)
  if (isMeant(whole))
    return { ...(await importWhole(ws, session, { ...request, into: whole }, conversations)), besides: [] }
  const compared = compareSession(ws, session, conversations(), listing().documents)
  if (compared?.saved.some(({ path }) => isMeant(path)) || compared?.parts.some(({ into }) => isMeant(into)))
    return importRest(ws, session, request, compared)
  return { ...(await importWhole(ws, session, request, conversations)), besides: [] }
}

/**
 * Returns the conversation into which the whole session was imported earlier. Later messages of the session go there
 * too.
 */
function importedWhole(ws: Workspace, { client, nativeId }: NativeSession): string | undefined {
  const last = readBinding(ws.local, client, nativeId)?.segments.at(-1)
  return last?.how === 'import' && last.from === 0 ? last.conversation : undefined
}

/** The folder that a killed import of a session has made and not filled. */
function leftEmpty(ws: Workspace, origin: string, conversations: readonly Listed[]): string | undefined {
  return conversations.find(
    ({ path, messages, native }) =>
      messages === 0 &&
      native.length === 0 &&
      readMetadataBackup(ws.local, path)?.session.origin === origin &&
      segmentsOf(ws.local, path).length === 0,
  )?.path
}

async function importWhole(
  ws: Workspace,
  session: NativeSession,
  request: ImportRequest,
  conversations: () => readonly Listed[],
): Promise<Published> {
  const { client, nativeId } = session
  const begin = request.into === undefined ? beginningOf(ws.environment, session, ws.types) : undefined
  const type = request.type ?? begin?.opened ?? PLAIN_TYPE
  const earlier = begin === undefined ? undefined : sameTalk(ws, session, begin.at, conversations())
  const origin = originOf(client, nativeId)
  const path =
    request.into ??
    earlier?.path ??
    leftEmpty(ws, origin, conversations()) ??
    (
      await create(ws, {
        ...{ type, title: request.title ?? begin?.title ?? '', at: begin?.at },
        origin,
        promptUnknown: type === begin?.opened ? NOT_NOTED : NOT_RUN,
        state: request.state,
      })
    ).path
  const isNew = earlier === undefined && (request.into === undefined || adoptFolder(ws, path))
  const { size, generation } = await copyOf(ws, session)
  const from = earlier?.hasAll === true ? size : 0
  // The journal may have blanks where another conversation of the session was deleted.
  const part = { journal: generation, from, to: size }
  const empty = emptyBinding(ws, session)
  // Only then is the whole of it read at once.
  if (readForgotten(ws.local, empty).seqs.size > 0)
    fillBlanks(ws.local, empty, part, () => bytesOfSession(session))
  // Of a session that adds nothing, only the name is noted: its lines would change the order of the talk.
  bindPart(ws, session, generation, path, part)
  const { pieceBytes, state } = request
  const project = basename(session.cwd || ws.root)
  const change = (made: SessionFile, found: Found) => imported(made, found, project)
  if (isNew)
    return publish(ws, path, { change, keep: () => summaryFacts(toolVocabulary()), pieceBytes, state })
  // The summary needs the pieces that were published before a kill too.
  const before = wasCutShort(ws, path) ? { change, earlier: readConversation(ws, path) } : {}
  return publish(ws, path, { ...before, state })
}

/** Whether an import was killed: the conversation is still active, and no session records into it. */
function wasCutShort(ws: Workspace, path: string): boolean {
  const session = readMetadataBackup(ws.local, path)?.session
  return (
    session?.status === 'active' &&
    session.context_summary === '' &&
    segmentsOf(ws.local, path).every(({ segment }) => segment.to !== undefined)
  )
}

/**
 * Returns the metadata of a newly imported conversation, which is paused. If the summary would be only the last prompt,
 * makes the summary from the record. `project`: the name of the folder in which the session worked.
 */
function imported(session: SessionFile, found: Found, project: string): SessionFile {
  const { messages = [] } = found
  const result = paused(session, found)
  if (withoutLastSaid(result.context_summary) !== '') return result
  const history = historyOf({ messages, project, tools: toolVocabulary() })
  return { ...result, context_summary: summaryFromRecord(recordFacts(history)) }
}

/** Imports the parts of a session that no conversation has. Conversations have the other parts already. */
async function importRest(
  ws: Workspace,
  session: Transcript,
  request: ImportRequest,
  { parts, saved, report }: Compared,
): Promise<Imported> {
  const taken = new Map<string, number>()
  // A binding that cannot be read is replaced.
  const empty = emptyBinding(ws, session)
  updateBinding(ws.local, session.client, session.nativeId, (binding) => binding ?? empty)
  if (parts.length > 0) {
    const { generation } = await copyOf(ws, session)
    const bytes = () => bytesOfSession(session)
    for (const part of parts) {
      const path = request.into ?? part.into ?? (await createForPart(ws, session, part, request)).path
      // A conversation that was never saved may have only a document.
      adoptFolder(ws, path, part.title)
      // The journal may have blanks where the bytes of the part were discarded earlier.
      fillBlanks(ws.local, empty, { ...part, journal: generation }, bytes)
      bindPart(ws, session, generation, path, part)
      taken.set(path, (taken.get(path) ?? 0) + part.messages)
    }
  }
  const published: Published[] = []
  for (const path of taken.size > 0 ? taken.keys() : [saved.at(-1)!.path])
    published.push(await publish(ws, path, { state: request.state }))
  const account = { report, before: saved, taken: [...taken].map(([path, messages]) => ({ path, messages })) }
  return { ...published.at(-1)!, besides: published.slice(0, -1), account }
}

/** Makes a conversation for a part whose own conversation is gone. */
function createForPart(ws: Workspace, { client, nativeId }: Transcript, part: Part, request: ImportRequest) {
  const type = part.opens ?? request.type ?? PLAIN_TYPE
  const origin = originOf(client, `${nativeId} ${part.from}`)
  return create(ws, {
    type,
    title: request.title ?? part.title,
    at: part.at,
    origin,
    promptUnknown: type === part.opens ? NOT_NOTED : NOT_RUN,
    state: request.state,
  })
}

/**
 * Imports the missing talk of a running session whose binding was lost, into the conversations that have its earlier
 * talk. Returns the path of the last of these conversations, which also gets the running turn if that stops it in
 * words; undefined if the session has a binding, or its end belongs to no conversation. Throws what publish throws.
 */
export async function importLostTalk(ws: Workspace, current: CurrentSession): Promise<string | undefined> {
  const path = await importLost(ws, current)
  const part = { from: current.turn, to: endOfTalk(ws, current) }
  if (path !== undefined && part.to > part.from) bindPart(ws, current, current.journal, path, part)
  return path
}

async function importLost(ws: Workspace, session: Transcript): Promise<string | undefined> {
  if (readBinding(ws.local, session.client, session.nativeId) !== undefined) return undefined
  const { conversations, documents } = listConversations(ws)
  const compared = compareSession(ws, session, conversations, documents)
  if (compared === undefined) return undefined
  // If a conversation has no message of the session, its stop has failed, so the messages after the stop are lost as
  // well.
  const hasFailed = (path: string) => !compared.saved.some((one) => one.path === path)
  const parts = compared.parts.filter(
    ({ why, into }) => into !== undefined && (why === 'lost' || (why === 'stopped' && hasFailed(into))),
  )
  if (parts.length === 0) return bindAgain(ws, session, compared)
  await importRest(ws, session, {}, { ...compared, parts })
  return parts.at(-1)!.into
}

/**
 * Binds a session again to the conversations that have its talk. Returns the path of the last one; undefined if later
 * messages are in no conversation.
 */
async function bindAgain(
  ws: Workspace,
  session: Transcript,
  { ranges, parts }: Compared,
): Promise<string | undefined> {
  const last = ranges.at(-1)
  if (last === undefined) return undefined
  const { generation } = await copyOf(ws, session)
  for (const { path, ...part } of ranges) bindPart(ws, session, generation, path, part)
  return parts.some(({ from }) => from >= last.to) ? undefined : last.path
}

/**
 * Copies the transcript to the journal. If the file is a client's export, the original transcript is restored from it
 * first.
 */
async function copyOf(ws: Workspace, { client, nativeId, transcript }: Transcript): Promise<JournalCopy> {
  const native = { client, native_id: nativeId }
  const content = exportedIn(client, transcript)
  if (content === undefined)
    return earlierIn(ws, native, transcript) ?? catchUpFrom(ws, { ...native, transcript })
  return withTemporaryFolder([{ path: 'transcript', content }], async (folder) =>
    catchUpFrom(ws, { ...native, transcript: join(folder, 'transcript') }),
  )
}

/**
 * If the transcript equals the beginning of a longer journal, it is an older state of the session and need not be
 * copied. Returns this beginning; otherwise undefined.
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
  const same = longer.findLast(({ path }) => bytes.equals(readJournalPart(path, 0, bytes.length)))
  return same && { generation: same.name, size: bytes.length, copied: 0, restarted: false }
}
