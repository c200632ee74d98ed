import { clientList, clientOf } from '../../clients/index.ts'
import { transcriptOf } from '../../conversation/own-transcript.ts'
import type { Conversation } from '../../conversation/read.ts'
import { stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { CortextError } from '../../errors.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { keptOfNamed, keptUnsaved, type Part } from './kept.ts'
import { type NamedSession, namedSessions, type Transcript } from './named-sessions.ts'
import { type KnownConversation, neverSaved } from './never-saved.ts'
import { unimportedIn } from './unimported.ts'

/** The parts of a client's own session that no conversation of this workspace has. */
export interface Unrecorded extends Transcript {
  parts: Part[]
  /** The command that imports all of these parts; '' if there are none. */
  command: string
}

/**
 * Searches the sessions of `conversations` for talk that is in no record and no journal, without trusting this
 * machine's bindings. Reads all of these sessions that are on this machine. Writes nothing.
 */
export function unrecordedIn(ws: Workspace, conversations: readonly KnownConversation[]): Unrecorded[] {
  const found = namedSessions(ws, conversations).map((session) => lookInto(ws, session, conversations))
  return [...found.filter(({ parts }) => parts.length > 0), ...unrecordedUnsaved(ws, conversations)]
}

/**
 * Returns what a session has that no conversation has; no parts if its transcript is not on this machine. `read` is a
 * conversation that the caller has read already.
 */
export function lookInto(
  ws: Workspace,
  session: NamedSession,
  conversations: readonly KnownConversation[],
  read?: Conversation,
): Unrecorded {
  const transcript = transcriptOfSession(ws, session)
  const found = { client: session.client, nativeId: session.nativeId, transcript }
  const isHere = stampOfTranscript(transcript) !== undefined
  const kept = isHere ? keptOfNamed(ws, { ...session, transcript }, conversations, { read }) : undefined
  const parts = kept?.parts ?? []
  return parts.length === 0 ? { ...found, parts, command: '' } : unrecorded(ws, found, parts)
}

function transcriptOfSession(ws: Workspace, { client, nativeId, binding }: NamedSession): string {
  if (binding !== undefined) {
    const named = transcriptOf(ws, binding)
    if (stampOfTranscript(named) !== undefined) return named
  }
  try {
    return clientOf(client).sessions.transcriptPath(ws.environment, ws.root, nativeId)
  } catch (error) {
    // A record from another machine can name anything.
    if (error instanceof CortextError && error.code === 'unsafe-path') return ''
    throw error
  }
}

/** Finds the sessions that no conversation names and that opened a conversation which was never saved. */
function unrecordedUnsaved(ws: Workspace, conversations: readonly KnownConversation[]): Unrecorded[] {
  const unsaved = neverSaved(ws, conversations)
  if (unsaved.length === 0) return []
  const oldest = Math.min(...unsaved.map(({ created }) => created.getTime()))
  const named = conversations.flatMap(({ native }) => native)
  return unimportedIn(ws.environment, ws.root, clientList(), named)
    .sessions.filter(({ lastActive }) => lastActive.getTime() >= oldest)
    .flatMap((session) => {
      const kept = keptUnsaved(ws, session, conversations, unsaved)
      return kept === undefined ? [] : unrecorded(ws, session, kept.parts)
    })
}

function unrecorded(ws: Workspace, { client, nativeId, transcript }: Transcript, parts: Part[]): Unrecorded {
  const elsewhere =
    clientOf(client).sessions.heldElsewhere?.(ws.environment, ws.root, transcript) !== undefined
  const command = elsewhere
    ? paste`cortext import ${client} --file ${transcript}`
    : paste`cortext import ${client} ${nativeId}`
  return { client, nativeId, transcript, parts, command }
}
