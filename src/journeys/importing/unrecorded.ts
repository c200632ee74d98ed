import { readerList, readerOf } from '../../clients/index.ts'
import type { Conversation } from '../../conversation/read.ts'
import { stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { keptOfNamed, keptUnsaved, type Part } from './kept.ts'
import { type NamedSession, namedSessions, type Transcript } from './named-sessions.ts'
import { type KnownConversation, neverSaved } from './never-saved.ts'
import { transcriptOfSession } from './transcript-of-session.ts'
import { unimportedIn } from './unimported.ts'

/** The parts of a client's own session that no conversation of this workspace has. */
export interface Unrecorded extends Transcript {
  parts: Part[]
  /** The command that imports all of these parts. */
  command: string
}

/**
 * Searches the sessions of `conversations` for talk that is in no record and no journal, without trusting this
 * machine's bindings. Reads all of these sessions that are on this machine. Writes nothing.
 */
export function unrecordedIn(ws: Workspace, conversations: readonly KnownConversation[]): Unrecorded[] {
  const found = namedSessions(ws, conversations).flatMap((session) => {
    const transcript = transcriptOfSession(ws, session)
    if (stampOfTranscript(transcript) === undefined) return []
    return unrecordedOf(ws, { ...session, transcript }, conversations) ?? []
  })
  return [...found, ...unrecordedUnsaved(ws, conversations)]
}

/**
 * Returns the parts of a session that no conversation has; undefined if there are none. `read` is a conversation that
 * the caller has read already.
 */
export function unrecordedOf(
  ws: Workspace,
  session: NamedSession & Transcript,
  conversations: readonly KnownConversation[],
  read?: Conversation,
): Unrecorded | undefined {
  const parts = keptOfNamed(ws, session, conversations, { read })?.parts ?? []
  return parts.length === 0 ? undefined : unrecorded(ws, session, parts)
}

/** Finds the sessions that opened a never saved conversation and that no conversation names. */
function unrecordedUnsaved(ws: Workspace, conversations: readonly KnownConversation[]): Unrecorded[] {
  const unsaved = neverSaved(ws, conversations)
  if (unsaved.length === 0) return []
  const oldest = Math.min(...unsaved.map(({ created }) => created.getTime()))
  const named = conversations.flatMap(({ native }) => native)
  const { sessions, automated } = unimportedIn(ws.environment, ws.root, readerList(), named)
  return [...sessions, ...automated]
    .filter(({ lastActive }) => lastActive.getTime() >= oldest)
    .flatMap((session) => {
      const kept = keptUnsaved(ws, session, conversations, unsaved)
      return kept === undefined ? [] : unrecorded(ws, session, kept.parts)
    })
}

function unrecorded(ws: Workspace, { client, nativeId, transcript }: Transcript, parts: Part[]): Unrecorded {
  const elsewhere =
    readerOf(client).sessions.heldElsewhere?.(ws.environment, ws.root, transcript) !== undefined
  const command = elsewhere
    ? paste`cortext import ${client} --file ${transcript}`
    : paste`cortext import ${client} ${nativeId}`
  return { client, nativeId, transcript, parts, command }
}
