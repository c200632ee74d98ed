import type { Conversation } from '../../conversation/read.ts'
import { stamper, stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { statInside } from '../../io/inside.ts'
import { mayGrow } from '../../store/machine/binding.ts'
import { openUnkept, type Remembered } from '../../store/machine/unkept.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type NamedSession, namedSessions } from './named-sessions.ts'
import type { KnownConversation } from './never-saved.ts'

/**
 * Like `unrecordedIn`, but for lists, which have to be quick. Remembers the result for each session until its
 * transcript or its conversations change. Of the changed sessions, reads the newest, up to `MAX_BYTES`; `left` is the
 * number of the others, which the next list reads. Loads a client's code only when it reads a session. `of` is a
 * conversation that the caller has read already: with it, only the sessions of this conversation are searched.
 */
export async function cachedUnrecorded(
  ws: Workspace,
  conversations: readonly KnownConversation[],
  of?: Conversation,
): Promise<{ found: Remembered[]; left: number }> {
  const unkept = openUnkept(ws.local)
  const remembered = unkept.sessions
  const stampOf = stamper()
  const named = namedSessions(ws, conversations)
  const found: { session: NamedSession; result: Remembered }[] = []
  const changed: NamedSession[] = []
  for (const session of named) {
    if (of !== undefined && !session.namedBy.some(({ path }) => path === of.path)) continue
    const result = remembered[nameOf(session)]
    if (result === undefined || result.key !== keyOf(ws, session, stampOf(result.transcript)))
      changed.push(session)
    else if (result.parts.length > 0) found.push({ session, result })
  }
  const read: Record<string, Remembered> = {}
  const lookedAt: NamedSession[] = []
  let bytes = MAX_BYTES
  for (const session of changed.sort(byLastActive)) {
    if (lookedAt.length === MAX_LOOKS || bytes <= 0) break
    lookedAt.push(session)
    const { transcriptOfSession } = await import('./transcript-of-session.ts')
    const transcript = transcriptOfSession(ws, session)
    const stamp = stampOfTranscript(transcript)
    bytes -= stamp?.size ?? 0
    const unrecordedOf = stamp && (await import('./unrecorded.ts')).unrecordedOf
    const { parts = [], command = '' } =
      unrecordedOf?.(ws, { ...session, transcript }, conversations, of) ?? {}
    const key = keyOf(ws, session, stampOfTranscript(transcript))
    const { client, nativeId } = session
    const result = { client, nativeId, transcript, key, parts, command }
    read[nameOf(session)] = result
    if (parts.length > 0) found.push({ session, result })
  }
  if (lookedAt.length > 0 && ws.keepIndex) {
    const names = named.map(nameOf)
    const known = names.filter((name) => name in remembered && !(name in read))
    for (const name of known) read[name] = remembered[name]!
    const paths = new Set(lookedAt.flatMap(({ namedBy }) => namedBy.map(({ path }) => path)))
    unkept.replace(read, () => [...paths].every((path) => statInside(ws.root, path) !== undefined))
  }
  return {
    found: found.sort((a, b) => byLastActive(a.session, b.session)).map(({ result }) => result),
    left: changed.length - lookedAt.length,
  }
}

/** To be raised when other messages count, so that what was remembered before is not used. */
const RULES = 2
/** About how many bytes of transcripts a list reads, which takes about a second. At least one session is read. */
const MAX_BYTES = 50_000_000
/** The most transcripts that a list looks for, because each search may walk through a client's folders. */
const MAX_LOOKS = 200

type Stamp = ReturnType<typeof stampOfTranscript>

function nameOf({ client, nativeId }: NamedSession): string {
  return `${client} ${nativeId}`
}

/** Newest first. */
function byLastActive(a: NamedSession, b: NamedSession): number {
  return lastActiveOf(b) - lastActiveOf(a)
}

function lastActiveOf({ namedBy }: NamedSession): number {
  return namedBy.reduce((last, { lastActive }) => Math.max(last, lastActive.getTime()), 0)
}

/**
 * Returns a key that changes when the unrecorded talk of a session may have changed. While the session is being
 * recorded, the size of its transcript does not count, because it grows with recorded talk.
 */
function keyOf(ws: Workspace, { binding, namedBy }: NamedSession, present: Stamp): string {
  const last = binding?.segments.at(-1)
  const grows = last !== undefined && isOurs(ws, binding!) && (last.to === undefined || mayGrow(last))
  const stamp = grows ? undefined : present
  return JSON.stringify([
    RULES,
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
