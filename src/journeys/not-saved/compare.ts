import type { ReadReport } from '../../clients/contract/reading.ts'
import { readerOf } from '../../clients/index.ts'
import { transcriptOf } from '../../conversation/own-transcript.ts'
import { type Conversation, readConversation } from '../../conversation/read.ts'
import { offsetOf } from '../../conversation/segments/messages-in.ts'
import { stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { CortextError, withDefault } from '../../errors.ts'
import { turnsOf } from '../../session/control-turns.ts'
import type { Message } from '../../session/schema.ts'
import { bindingPath } from '../../store/layout.ts'
import { peekBindingFile } from '../../store/machine/binding.ts'
import type { NotSaved } from '../../store/machine/not-saved.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { bytesOfSession } from '../importing/named-file.ts'
import { type EmptyConversation, emptyConversations, openedAt } from './empty-conversations.ts'
import { type KnownConversation, type NamedSession, namedSession, type Transcript } from './named-sessions.ts'
import { type Part, partsNotSaved, type Range } from './parts.ts'
import { sessionsNotSaved } from './sessions.ts'

/** What of one native session is saved, and what is not. */
export interface Compared {
  /** The parts that no conversation has. */
  parts: Part[]
  /** Number of the session's messages in each conversation. */
  saved: { path: string; messages: number }[]
  /** The ranges that conversations have, in the order of the transcript. */
  ranges: (Range & { path: string })[]
  /** The byte ledger of the transcript. */
  report: ReadReport
}

/**
 * Finds which conversations have which parts of one native session; undefined when no conversation has any part.
 * `documents`: as for `emptyConversations`.
 */
export function compareSession(
  ws: Workspace,
  native: Transcript,
  conversations: readonly KnownConversation[],
  documents?: readonly string[],
): Compared | undefined {
  const session = namedSession(ws, native, conversations)
  return session === undefined
    ? compareUnnamed(ws, native, conversations, emptyConversations(ws, conversations, documents))
    : compareNamed(ws, { ...session, transcript: native.transcript }, conversations)
}

/**
 * Returns what is not saved of a session that conversations name: nothing if its transcript is not on this machine.
 * `read` is a conversation that the caller has read already.
 */
export function notSavedOf(
  ws: Workspace,
  session: NamedSession,
  conversations: readonly KnownConversation[],
  read?: Conversation,
): NotSaved {
  const found = { ...session, transcript: transcriptOfSession(ws, session) }
  const isHere = stampOfTranscript(found.transcript) !== undefined
  return asNotSaved(ws, found, isHere ? compareNamed(ws, found, conversations, read) : undefined)
}

/** Returns what is not saved of the sessions that opened an empty conversation and that no conversation names. */
export function notSavedOfEmpty(ws: Workspace, conversations: readonly KnownConversation[]): NotSaved[] {
  const empty = emptyConversations(ws, conversations)
  if (empty.length === 0) return []
  const oldest = Math.min(...empty.map(({ created }) => created.getTime()))
  const named = conversations.flatMap(({ native }) => native)
  const { sessions, automated } = sessionsNotSaved(ws.environment, ws.root, named)
  return [...sessions, ...automated]
    .filter(({ lastActive }) => lastActive.getTime() >= oldest)
    .map((session) => asNotSaved(ws, session, compareUnnamed(ws, session, conversations, empty)))
}

function asNotSaved(ws: Workspace, session: Transcript, { parts = [] }: Partial<Compared> = {}): NotSaved {
  const { client, nativeId, transcript } = session
  return {
    ...{ client, nativeId, transcript },
    parts: parts.map(({ why, into, messages, turns }) => ({ why, into, messages, turns })),
    command: parts.length === 0 ? '' : importOf(ws, session),
  }
}

function importOf(ws: Workspace, { client, nativeId, transcript }: Transcript): string {
  const folder = readerOf(client).sessions.heldElsewhere?.(ws.environment, ws.root, transcript)
  return folder === undefined
    ? paste`cortext import ${client} ${nativeId}`
    : paste`cortext import ${client} --file ${transcript}`
}

/** Returns the path of a session's transcript, which may be missing; '' if the session can have no file here. */
function transcriptOfSession(ws: Workspace, { client, nativeId, binding }: NamedSession): string {
  if (binding !== undefined) {
    const named = transcriptOf(ws, binding)
    if (stampOfTranscript(named) !== undefined) return named
  }
  try {
    return readerOf(client).sessions.transcriptPath(ws.environment, ws.root, nativeId)
  } catch (error) {
    // A record from another machine can name any session id, such as `../../x`.
    if (error instanceof CortextError && error.code === 'unsafe-path') return ''
    throw error
  }
}

/**
 * Compares a session that conversations name. Undefined when one of these conversations cannot be read, because then its
 * messages are unknown.
 */
function compareNamed(
  ws: Workspace,
  session: NamedSession & Transcript,
  conversations: readonly KnownConversation[],
  read?: Conversation,
): Compared | undefined {
  const { binding, namedBy } = session
  const holders = new Map<string, string>()
  for (const { path } of namedBy) {
    const conversation = read?.path === path ? read : readableConversation(ws, path)
    if (conversation === undefined) return undefined
    for (const { id } of conversation.messages) holders.set(id, path)
    // Until a merge is settled, the folder may have the lines of a second conversation too.
    for (const { id } of conversation.record.lines) holders.set(id, path)
    for (const id of conversation.pruned.keys()) holders.set(id, path)
  }
  const compared = compare(ws, session, conversations, holders)
  // A stop in a terminal leaves no trace in the transcript, but the binding shows it.
  for (const part of compared.parts) {
    const last = binding?.segments.findLast(({ to }) => to !== undefined && to <= part.from)
    if (part.why === 'lost' && (last?.ended_by === 'stop' || last?.ended_by === 'elsewhere'))
      part.why = 'stopped'
  }
  // If no conversation has a message of the session, all of `namedBy` are listed with 0 messages.
  return compared.saved.length > 0
    ? compared
    : { ...compared, saved: namedBy.map(({ path }) => ({ path, messages: 0 })) }
}

export function readableConversation(ws: Workspace, path: string): Conversation | undefined {
  return withDefault(undefined, () => readConversation(ws, path))
}

/** Compares a session without a binding. Undefined unless the session opened one of the empty conversations. */
function compareUnnamed(
  ws: Workspace,
  native: Transcript,
  conversations: readonly KnownConversation[],
  empty: readonly EmptyConversation[],
): Compared | undefined {
  const isBound = peekBindingFile(bindingPath(ws.local, native.client, native.nativeId)) !== undefined
  if (isBound || empty.length === 0) return undefined
  const compared = compare(ws, native, conversations, new Map(), empty)
  return compared.parts.some(({ opens, into }) => opens !== undefined && into !== undefined)
    ? compared
    : undefined
}

/**
 * Compares a transcript with the messages of conversations: `holders` maps the ids of these messages to the paths of
 * the conversations. The empty conversations are listed on first use, because most sessions do not need them.
 */
function compare(
  ws: Workspace,
  native: Transcript,
  conversations: readonly KnownConversation[],
  holders: ReadonlyMap<string, string>,
  empty?: readonly EmptyConversation[],
): Compared {
  const { client, nativeId } = native
  const bytes = bytesOfSession(native)
  const raw = { nativeId, bytes, sideFiles: [], readSideFile: () => undefined }
  const { messages, report } = readerOf(client).reading.read(raw)
  const turns = turnsOf(messages)
  const shared = sharedIds(turns.flatMap(([first]) => first ?? []))
  // An id that several turns have leads only to the first of them.
  const startOf = ([first]: readonly Message[] = []) =>
    first && offsetOf(bytes, shared.has(first.native_id) ? { ...first, native_id: '' } : first)
  const rangeOf = (first: readonly Message[] | undefined, next: readonly Message[] | undefined): Range => ({
    from: startOf(first) ?? 0,
    to: startOf(next) ?? bytes.length,
  })
  let known = empty
  const opened = (turn: readonly Message[]) => {
    known ??= emptyConversations(ws, conversations)
    const { from, to } = rangeOf(turn, turns[turns.indexOf(turn as Message[]) + 1])
    const text = bytes.subarray(from, to).toString('utf8')
    return documentNamedIn(text, [...conversations, ...known]) ?? openedAt(turn, known)
  }
  const holder = (id: string) => holders.get(id)
  return {
    report,
    saved: countByPath(turns.flat(), holders),
    ranges: rangesByPath(turns, holders, rangeOf),
    parts: partsNotSaved(turns, { holder, opened, rangeOf, types: ws.types }),
  }
}

function sharedIds(messages: readonly Message[]): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>()
  return new Set(messages.map(({ native_id: id }) => id).filter((id) => seen.size === seen.add(id).size))
}

function countByPath(messages: readonly Message[], holders: ReadonlyMap<string, string>): Compared['saved'] {
  const counts = new Map<string, number>()
  for (const { id } of messages) {
    const path = holders.get(id)
    if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return [...counts].map(([path, count]) => ({ path, messages: count }))
}

/** Returns the ranges of the turns that conversations have. Consecutive turns of one conversation make one range. */
function rangesByPath(
  turns: readonly Message[][],
  holders: ReadonlyMap<string, string>,
  rangeOf: (first: Message[], next: Message[] | undefined) => Range,
): Compared['ranges'] {
  const ranges: Compared['ranges'] = []
  for (const [index, turn] of turns.entries()) {
    const path = turn.map(({ id }) => holders.get(id)).find((one) => one !== undefined)
    if (path === undefined) continue
    const range = rangeOf(turn, turns[index + 1])
    const last = ranges.at(-1)
    if (last?.path === path && last.to === range.from) last.to = range.to
    else ranges.push({ path, ...range })
  }
  return ranges
}

/** Finds the conversation that our answer to a command names: `Document: conversations/…/001-plan-beta/plan.md`. */
function documentNamedIn(text: string, conversations: readonly KnownConversation[]): string | undefined {
  const named = [...text.matchAll(/Document: ([^"\\\n]+)\/[^"\\/\n]+\.md/g)].at(-1)?.[1]
  // The named path is relative to the client's working folder, so perhaps only its end is the conversation's path.
  return conversations.find(({ path }) => named === path || named?.endsWith(`/${path}`) === true)?.path
}
