import { catchUp } from '../../conversation/catch-up.ts'
import { commitConversation } from '../../conversation/keeping/commit-conversation.ts'
import { pathNow } from '../../conversation/moved.ts'
import { isDocumentFresh } from '../../conversation/naming/document.ts'
import { nameWhenLeft } from '../../conversation/naming/name-after-title.ts'
import { withSummary } from '../../conversation/pause.ts'
import { publish } from '../../conversation/publish.ts'
import type { Published } from '../../conversation/publishing/write.ts'
import { readConversation } from '../../conversation/read.ts'
import { forgetBeyond } from '../../conversation/segments/forget-beyond.ts'
import { cleanText } from '../../redact/index.ts'
import { changeStatus } from '../../session/lifecycle.ts'
import type { SessionFile, Status } from '../../session/schema.ts'
import { type Binding, type Segment, updateBinding } from '../../store/machine/binding.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { claimNotice } from '../../store/machine/note.ts'
import { whileNoSync } from '../../store/machine/place.ts'
import { oneLine } from '../../text/line.ts'
import { readDocument, writeDocument } from '../../workspace/folder.ts'
import type { CommitOutcome } from '../../workspace/git/commit.ts'
import type { Workspace } from '../../workspace/open.ts'
import { findRefused } from '../../workspace/repository.ts'
import { findGitTop } from '../../workspace/root.ts'
import { removeConversation } from '../editing/delete.ts'
import { unbind } from './bind.ts'
import { type CurrentSession, sessionNamed } from './current-session.ts'
import { awaitStopCall, endOfTalk } from './said-in-session.ts'

export interface StopRequest {
  /** Workspace-relative path of the conversation. */
  path: string
  /** The native session in which the stop was asked for. */
  current: CurrentSession | undefined
  complete?: boolean
  summary?: string | undefined
  /** Absent: the settings decide. */
  commit?: boolean | undefined
  /** False: no person was asked about the commit, so the commit runs no git hooks. */
  hooks?: boolean
  /** Is called once if the commit takes long. */
  onWaiting?: () => void
  /** Drops everything that was not published yet. */
  discard?: boolean
}

export interface Stopped extends Published {
  commit: CommitOutcome
  discarded: boolean
  /** The clients in which a session is still open, although this stop has ended its recording. */
  open: string[]
}

/**
 * Publishes the conversation as paused or completed and ends its segments. Then makes one commit with only this
 * conversation's paths. When publishing fails, the recording continues. Throws `refused` when a completed conversation
 * would become paused, and what publish throws.
 */
export async function stop(ws: Workspace, given: StopRequest): Promise<Stopped> {
  const request = atPresentPath(ws, given)
  if (request.discard === true) return discard(ws, request)
  if (request.current !== undefined) request.current = await awaitStopCall(ws, request.current)
  const ends = plannedEnds(ws, request)
  const summary = request.summary === undefined ? undefined : publicText(ws, request.summary)
  const to: Status = request.complete === true ? 'completed' : 'paused'
  const saved = await publish(ws, request.path, {
    change: (session, found) => withSummary(changeStatus(session, to, request.path), found, summary),
    ends,
  })
  // A session may have changed to another conversation in the meantime. That conversation is not stopped.
  for (const { to, by, ...native } of ends) unbind(ws, native, { to, by, conversation: request.path })
  stopEnded(ws, request)
  const published = await nameWhenLeft(ws, saved)
  const commit =
    !(request.commit ?? ws.config.commit === 'auto') || ws.config.visibility === 'private'
      ? { ...whyNotCommitted(ws, request), ignored: [] }
      : knownOutcome(ws, await commitConversation(ws, published, request))
  // Nobody is told that an answer is not complete if it is the one that stops.
  const contents = published.contents.map((content) =>
    content.read.nativeId === request.current?.nativeId ? { ...content, settled: true } : content,
  )
  return { ...published, contents, commit, discarded: false, open: openElsewhere(ends) }
}

function openElsewhere(ends: ReturnType<typeof plannedEnds>): string[] {
  return [...new Set(ends.filter(({ by }) => by === 'elsewhere').map(({ client }) => client))]
}

/**
 * Ends the recording, and drops all unpublished messages, in the journals too. Commits nothing. If nothing was ever
 * published, removes the conversation, but keeps an edited document. If another session is still recording into the
 * conversation, drops only this session's part.
 */
async function discard(ws: Workspace, request: StopRequest): Promise<Stopped> {
  const { path } = request
  const ends = plannedEnds(ws, request)
  for (const { to, by, ...native } of ends) unbind(ws, native, { to, by, conversation: path })
  const commit = { notCommitted: 'it was discarded', chosen: true as const, ignored: [] }
  const rest = { commit, discarded: true, open: openElsewhere(ends) }
  const isLive = segmentsOf(ws.local, path).some(({ segment }) => segment.to === undefined)
  if (!isLive) discardEnded(ws, path)
  const { session, record } = readConversation(ws, path)
  if (!isLive && record.lines.length === 0) {
    await discardWhole(ws, path, session)
    return {
      ...{ path, session: changeStatus(session, 'paused', path), appended: 0, problems: [], contents: [] },
      ...rest,
    }
  }
  const to: Status = 'paused'
  const published = await publish(ws, path, {
    change: (found) => (isLive ? found : changeStatus(found, to, path)),
  })
  for (const binding of new Set(segmentsOf(ws.local, path).map((one) => one.binding)))
    forgetBeyond(ws.local, binding)
  return { ...published, ...rest }
}

/** Shortens each ended segment to its published part. */
function discardEnded(ws: Workspace, path: string): void {
  const published = ({ from, to, published_to }: Segment) =>
    Math.max(from, Math.min(to ?? from, published_to ?? from))
  changeSegments(ws, path, (segment) =>
    segment.to !== undefined && segment.tidied !== true
      ? { ...segment, to: published(segment), ended_by: 'stop' }
      : segment,
  )
}

/** Changes the segments of a conversation in all bindings. */
function changeSegments(
  { local }: Workspace,
  path: string,
  change: (segment: Segment, binding: Binding) => Segment,
): void {
  for (const { binding } of segmentsOf(local, path))
    updateBinding(local, binding.client, binding.native_id, (stored) => {
      if (stored === undefined) return undefined
      const segments = stored.segments.map((segment) =>
        segment.conversation === path ? change(segment, stored) : segment,
      )
      return { ...stored, segments }
    })
}

/** A person waits for it in a client. */
const PATIENCE_MS = 15_000

async function discardWhole(ws: Workspace, path: string, session: SessionFile): Promise<void> {
  const { conversation_type: type } = session
  const text = isDocumentFresh(ws, path, session) ? undefined : readDocument(ws.root, path, type)
  // A sync may have taken along that it was begun.
  await whileNoSync(ws.local, () => removeConversation(ws, path), PATIENCE_MS)
  if (text !== undefined) writeDocument(ws.root, path, type, text)
}

/**
 * Marks segments that ended without a stop as stopped. Otherwise they would continue when their session is opened
 * again. Marks imported segments of this session as adopted. If the local folder was lost, the stop itself has just
 * imported them, and the next notice to the person must name the stop, not the import.
 */
function stopEnded(ws: Workspace, { path, current }: StopRequest): void {
  changeSegments(ws, path, (segment, { client, native_id }) => {
    if (segment.ended_by === 'session-end' || segment.ended_by === 'switch')
      return { ...segment, ended_by: 'stop' }
    const isHere = client === current?.client && native_id === current.nativeId
    return isHere && segment.how === 'import' ? { ...segment, how: 'adopt' } : segment
  })
}

/** Returns the request with the conversation's present path. The folder may have been moved since the session began. */
function atPresentPath(ws: Workspace, given: StopRequest): StopRequest {
  const path = pathNow(ws, given.path)
  if (path === given.path || given.current === undefined) return { ...given, path }
  return { ...given, path, current: sessionNamed(ws, given.current) }
}

function whyNotCommitted(ws: Workspace, request: StopRequest): { notCommitted: string; chosen?: true } {
  if (request.commit === false) return { notCommitted: 'asked not to', chosen: true }
  if (ws.config.visibility === 'private')
    return { notCommitted: 'the workspace is private: git does not track it', chosen: true }
  const notCommitted = `commit is "${ws.config.commit}" in .workspace/config.json`
  // A person who wants to be asked about commits should see that they were not asked.
  return ws.config.commit === 'ask' ? { notCommitted } : { notCommitted, chosen: true }
}

/**
 * Outside git there is no commit. Only the first stop tells the person so; later ones mark the missing commit as
 * `chosen`.
 */
function knownOutcome(ws: Workspace, outcome: CommitOutcome): CommitOutcome {
  if ('committed' in outcome || findGitTop(ws.root) !== undefined || findRefused(ws.root) !== undefined)
    return outcome
  return claimNotice(ws.local, 'no-git') ? outcome : { ...outcome, chosen: true }
}

/**
 * Returns the offsets at which a stop ends the live segments. A session that stops its own conversation ends only its
 * own segment. Other sessions that write into the conversation stay recorded. A stop from outside these sessions ends
 * the segments of all of them. The turn that is running in each session still belongs to the conversation.
 */
function plannedEnds(ws: Workspace, { path, current, discard }: StopRequest) {
  const own = current?.live?.conversation === path
  return segmentsOf(ws.local, path).flatMap(({ binding, segment }) => {
    if (segment.to !== undefined) return []
    const { client, native_id: nativeId } = binding
    const isHere = current?.client === client && current.nativeId === nativeId
    if (own && !isHere) return []
    const end = isHere ? Math.max(endOfTalk(ws, current), segment.from) : catchUp(ws, binding).size
    const to = discard === true ? (segment.published_to ?? segment.from) : end
    // With `discard`, the conversation does not get the running turn.
    const by: Segment['ended_by'] & string = isHere || discard === true ? 'stop' : 'elsewhere'
    return [{ client, nativeId, to, by }]
  })
}

function publicText(ws: Workspace, text: string): string {
  return cleanText(ws.config, oneLine(text))
}
