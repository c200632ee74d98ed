import { clientList, clientOf } from '../../clients/index.ts'
import { transcriptOf } from '../../conversation/own-transcript.ts'
import type { Conversation } from '../../conversation/read.ts'
import { stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { statInside } from '../../io/inside.ts'
import { mayGrow } from '../../store/machine/binding.ts'
import { type Remembered, readUnkept, writeUnkept } from '../../store/machine/unkept.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import {
  keptOfNamed,
  keptUnsaved,
  type NamedSession,
  namedSessions,
  type Part,
  type Transcript,
} from './kept.ts'
import { type KnownConversation, neverSaved } from './never-saved.ts'
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
 * Like `unrecordedIn`, but for lists, which have to be quick. A remembered result is valid until the transcript or its
 * conversations change. Reads the newest changed sessions, up to `MAX_BYTES`. `left` is the number of the other changed
 * sessions, which the next list reads. With `of`, a conversation that the caller has read already, reads only the
 * sessions of that conversation.
 */
export function cachedUnrecorded(
  ws: Workspace,
  conversations: readonly KnownConversation[],
  of?: Conversation,
): { found: Remembered[]; left: number } {
  const remembered = readUnkept(ws.local)
  const named = namedSessions(ws, conversations)
  const now: Record<string, Remembered> = {}
  const found: Remembered[] = []
  let [bytes, looksLeft, left, changed] = [MAX_BYTES, MAX_LOOKS, 0, false]
  const newestFirst = named
    .filter(({ namedBy }) => of === undefined || namedBy.some(({ path }) => path === of.path))
    .sort((a, b) => lastActiveOf(b) - lastActiveOf(a))
  for (const session of newestFirst) {
    const { client, nativeId } = session
    const name = nameOf(session)
    const before = remembered[name]
    if (before !== undefined && before.key === keyOf(ws, session, before.transcript)) {
      now[name] = before
      found.push(before)
      continue
    }
    if (looksLeft === 0 || bytes <= 0) {
      left += 1
      continue
    }
    looksLeft -= 1
    const transcript = transcriptOfSession(ws, session)
    const stamp = stampOfTranscript(transcript)
    bytes -= stamp?.size ?? 0
    const { parts = [], command = '' } =
      (stamp && unrecordedOf(ws, { ...session, transcript }, conversations, of)) ?? {}
    const key = keyOf(ws, session, transcript)
    now[name] = { client, nativeId, transcript, key, parts, command }
    found.push(now[name])
    changed = true
  }
  if (changed && ws.keepIndex) {
    const others = named.map(nameOf).filter((name) => name in remembered && !(name in now))
    for (const name of others) now[name] = remembered[name]!
    const paths = new Set(named.flatMap(({ namedBy }) => namedBy.map(({ path }) => path)))
    writeUnkept(ws.local, now, () => [...paths].every((path) => statInside(ws.root, path) !== undefined))
  }
  return { found: found.filter(({ parts }) => parts.length > 0), left }
}

/** Limit of the bytes of transcripts that a list reads, in about a second. At least one session is read. */
const MAX_BYTES = 50_000_000
/** The most transcripts that a list looks for, because each search may walk through a client's folders. */
const MAX_LOOKS = 200

function nameOf({ client, nativeId }: NamedSession): string {
  return `${client} ${nativeId}`
}

function lastActiveOf({ namedBy }: NamedSession): number {
  return namedBy.reduce((last, { lastActive }) => Math.max(last, lastActive.getTime()), 0)
}

/**
 * Returns a key that changes when the unrecorded talk of a session may have changed. While the session is being
 * recorded, its size does not count.
 */
function keyOf(ws: Workspace, { binding, namedBy }: NamedSession, transcript: string): string {
  const last = binding?.segments.at(-1)
  const grows = last !== undefined && isOurs(ws, binding!) && (last.to === undefined || mayGrow(last))
  const stamp = grows ? undefined : stampOfTranscript(transcript)
  return JSON.stringify([
    stamp && [stamp.size, stamp.mtime],
    binding?.segments.map((one) => [
      ...[one.conversation, one.journal, one.from, one.tidied ?? false],
      one === last && grows ? 'grows' : (one.to ?? 'live'),
    ]),
    namedBy
      .filter(({ path }) => !grows || path !== last!.conversation)
      .map(({ path, messages, lastActive }) => [path, messages, lastActive.getTime()]),
  ])
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

function unrecordedOf(
  ws: Workspace,
  session: NamedSession & Transcript,
  conversations: readonly KnownConversation[],
  read?: Conversation,
): Unrecorded | undefined {
  const parts = keptOfNamed(ws, session, conversations, { read })?.parts ?? []
  return parts.length === 0 ? undefined : unrecorded(ws, session, parts)
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
