import type { Conversation } from '../../conversation/read.ts'
import { stamper, stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { statInside } from '../../io/inside.ts'
import { mayGrow } from '../../store/machine/binding.ts'
import { type NotSaved, openNotSaved, type Remembered } from '../../store/machine/not-saved.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type KnownConversation, type NamedSession, namedSessions } from './named-sessions.ts'

/**
 * Returns what is said in the clients' sessions of these conversations and in no record, with the command that imports
 * it. Other talk that is not saved: a session that no conversation names (`sessionsNotSaved`), and turns that are
 * recorded, which the next publishing saves (`recordedNotSaved`).
 *
 * It is made for lists, which have to be quick. It remembers the result for each session until its transcript or its
 * conversations change. Of the changed sessions, it reads the newest, up to `MAX_BYTES`; the next call reads the others.
 * It loads a client's code only when it reads a session.
 *
 * `of` is a conversation that the caller has read already: with it, only the sessions of this conversation are searched.
 * With `fresh`, reads all sessions that are on this machine, without trusting its bindings and what it remembers, and
 * also finds the sessions that opened a conversation in which nothing is saved.
 */
export async function notSaved(
  ws: Workspace,
  conversations: readonly KnownConversation[],
  { of, fresh = false }: { of?: Conversation; fresh?: boolean } = {},
): Promise<NotSaved[]> {
  const note = openNotSaved(ws.local)
  const stampOf = stamper()
  const named = namedSessions(ws, conversations)
  const found: { session: NamedSession; result: NotSaved }[] = []
  const changed: NamedSession[] = []
  for (const session of named) {
    if (of !== undefined && !session.namedBy.some(({ path }) => path === of.path)) continue
    const result = fresh ? undefined : note.sessions[nameOf(session)]
    if (result === undefined || result.key !== keyOf(ws, session, stampOf(result.transcript)))
      changed.push(session)
    else found.push({ session, result })
  }
  const read: Record<string, Remembered> = {}
  const lookedAt: NamedSession[] = []
  let bytes = MAX_BYTES
  for (const session of changed.sort(byLastActive)) {
    if (!fresh && (lookedAt.length === MAX_LOOKS || bytes <= 0)) break
    lookedAt.push(session)
    const { notSavedOf } = await import('./compare.ts')
    const result = notSavedOf(ws, session, conversations, of)
    const stamp = stampOfTranscript(result.transcript)
    bytes -= stamp?.size ?? 0
    read[nameOf(session)] = { ...result, key: keyOf(ws, session, stamp) }
    found.push({ session, result })
  }
  if (lookedAt.length > 0 && ws.mayWrite) {
    const names = named.map(nameOf)
    const known = names.filter((name) => name in note.sessions && !(name in read))
    for (const name of known) read[name] = note.sessions[name]!
    const paths = new Set(lookedAt.flatMap(({ namedBy }) => namedBy.map(({ path }) => path)))
    // A conversation that was deleted meanwhile must not come into the note again.
    note.replace(read, () => [...paths].every((path) => statInside(ws.root, path) !== undefined))
  }
  const results = found.sort((a, b) => byLastActive(a.session, b.session)).map(({ result }) => result)
  const unnamed = fresh ? (await import('./compare.ts')).notSavedOfEmpty(ws, conversations) : []
  return [...results.filter(({ parts }) => parts.length > 0), ...unnamed]
}

/** To be raised when other messages count, so that what was remembered before is not used. */
const RULES = 2
/** About how many bytes of transcripts a list reads, which takes about a second. At least one session is read. */
const MAX_BYTES = 50_000_000
/** The most transcripts that a list looks for, because each search may walk through a client's folders. */
const MAX_LOOKS = 200

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
 * Returns a key that changes when other talk of a session may be not saved. While the session is being recorded, its
 * transcript grows with recorded talk, which a list does not look for. So then the size of the transcript, the end of the
 * last segment and the counts of its conversation are not in the key.
 */
function keyOf(
  ws: Workspace,
  { binding, namedBy }: NamedSession,
  present: ReturnType<typeof stampOfTranscript>,
): string {
  const last = binding?.segments.at(-1)
  const isRecorded = last !== undefined && isOurs(ws, binding!) && (last.to === undefined || mayGrow(last))
  const stamp = isRecorded ? undefined : present
  return JSON.stringify([
    RULES,
    stamp && [stamp.size, stamp.mtime],
    binding?.segments.map((one) => [
      ...[one.conversation, one.journal, one.from, one.tidied ?? false],
      one === last && isRecorded ? 'recorded' : (one.to ?? 'live'),
    ]),
    namedBy
      .filter(({ path }) => !isRecorded || path !== last!.conversation)
      .map(({ path, messages, lastActive }) => [path, messages, lastActive.getTime()]),
  ])
}

/**
 * Describes parts: `3 messages said after the stop of 5 "API design", 2 messages said before 6 "Cache"`. `nameOf` names
 * the conversation at a path.
 */
export function partsInWords(
  parts: readonly Pick<NotSaved['parts'][number], 'why' | 'into' | 'messages'>[],
  nameOf: (path: string) => string,
): string {
  const sums = new Map<string, number>()
  for (const { why, into, messages } of parts) {
    const where = `${WHERE[why]}${into === undefined ? ' a conversation that is gone' : ` ${nameOf(into)}`}`
    sums.set(where, (sums.get(where) ?? 0) + messages)
  }
  return [...sums].map(([where, sum]) => `${sum} message${sum === 1 ? '' : 's'} said ${where}`).join(', ')
}

const WHERE = { before: 'before', stopped: 'after the stop of', lost: 'in' }
