import type { ReadReport } from '../../clients/contract/reading.ts'
import { readerOf } from '../../clients/index.ts'
import { type Conversation, readConversation } from '../../conversation/read.ts'
import { offsetOf } from '../../conversation/segments/messages-in.ts'
import { CortextError } from '../../errors.ts'
import { turnsOf } from '../../session/control-turns.ts'
import type { Message } from '../../session/schema.ts'
import { titleFrom } from '../../session/title.ts'
import { bindingPath } from '../../store/layout.ts'
import { peekBindingFile } from '../../store/machine/binding.ts'
import type { Workspace } from '../../workspace/open.ts'
import { bytesOfSession } from './named-file.ts'
import { type NamedSession, namedSessions, type Transcript } from './named-sessions.ts'
import { type KnownConversation, neverSaved, openedAt } from './never-saved.ts'
import { type UnkeptPart, unkeptParts } from './unkept-parts.ts'

/** The parts of one native session that are in conversations, and the parts that are in none. */
export interface Kept {
  /** The parts that no conversation has. */
  parts: Part[]
  /** Number of the session's messages in each conversation. */
  before: { path: string; messages: number }[]
  /** The ranges that conversations have, in the order of the transcript. */
  ranges: (Range & { path: string })[]
  /** The byte ledger of the transcript. */
  report: ReadReport
}

/** A range of a transcript in byte offsets: `from` is included, `to` is not. */
interface Range {
  from: number
  to: number
}

export interface Part extends Range, Omit<UnkeptPart, 'turns' | 'next'> {
  /** Number of turns in the part. */
  turns: number
  /** A title made of the first words. */
  title: string
  /** The time of the first message. */
  at: Date
}

/**
 * Finds which conversations have which parts of one native session; undefined when no conversation has any part.
 * `bytes` reads the transcript; it is needed if the file is a client's export.
 */
export function keptOf(
  ws: Workspace,
  native: Transcript,
  conversations: readonly KnownConversation[],
  bytes?: () => Buffer,
): Kept | undefined {
  const session = namedSessions(ws, conversations).find(
    (one) => one.client === native.client && one.nativeId === native.nativeId,
  )
  if (session === undefined) return keptUnsaved(ws, native, conversations)
  return keptOfNamed(ws, { ...session, transcript: native.transcript }, conversations, { bytes })
}

/**
 * Like `keptOf`, but for a session that conversations name. Undefined when one of these conversations cannot be read,
 * because then its messages are unknown. `read` is a conversation that the caller has read already.
 */
export function keptOfNamed(
  ws: Workspace,
  session: NamedSession & Transcript,
  conversations: readonly KnownConversation[],
  { bytes, read }: { bytes?: (() => Buffer) | undefined; read?: Conversation | undefined } = {},
): Kept | undefined {
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
  const kept = compare(ws, session, holders, conversations, bytes?.())
  // A stop in a terminal leaves no trace in the transcript, but the binding shows it.
  for (const part of kept.parts) {
    const last = binding?.segments.findLast(({ to }) => to !== undefined && to <= part.from)
    if (part.why === 'lost' && (last?.ended_by === 'stop' || last?.ended_by === 'elsewhere'))
      part.why = 'stopped'
  }
  // If no conversation has a message of the session, all of `namedBy` are listed with 0 messages.
  return kept.before.length > 0
    ? kept
    : { ...kept, before: namedBy.map(({ path }) => ({ path, messages: 0 })) }
}

export function readableConversation(ws: Workspace, path: string): Conversation | undefined {
  try {
    return readConversation(ws, path)
  } catch (error) {
    if (error instanceof CortextError) return undefined
    throw error
  }
}

/**
 * Like `keptOf`, but for a session without a binding. Returns a result only if the session opened a conversation that
 * was never saved.
 */
export function keptUnsaved(
  ws: Workspace,
  native: Transcript,
  conversations: readonly KnownConversation[],
  unsaved?: readonly KnownConversation[],
): Kept | undefined {
  if (peekBindingFile(bindingPath(ws.local, native.client, native.nativeId)) !== undefined) return undefined
  if ((unsaved ?? neverSaved(ws, conversations)).length === 0) return undefined
  const kept = compare(ws, native, new Map(), conversations)
  return kept.parts.some(({ opens, into }) => opens !== undefined && into !== undefined) ? kept : undefined
}

/**
 * Compares a transcript with the messages of conversations: `holders` maps the ids of these messages to the paths of
 * the conversations.
 */
function compare(
  ws: Workspace,
  { client, nativeId, transcript }: Transcript,
  holders: ReadonlyMap<string, string>,
  conversations: readonly KnownConversation[],
  bytes = bytesOfSession({ client, transcript }),
): Kept {
  const { reading } = readerOf(client)
  const { messages, report } = reading.read({ nativeId, bytes, sideFiles: [], readSideFile: () => undefined })
  const turns = turnsOf(messages)
  const shared = sharedIds(turns.flatMap(([first]) => first ?? []))
  // An id that several turns have leads only to the first of them.
  const startOf = ([first]: readonly Message[] = []) =>
    first && offsetOf(bytes, shared.has(first.native_id) ? { ...first, native_id: '' } : first)
  const rangeOf = (first: readonly Message[] | undefined, next: readonly Message[] | undefined): Range => ({
    from: startOf(first) ?? 0,
    to: startOf(next) ?? bytes.length,
  })
  // The list of conversations that were never saved is made on first use, because most sessions do not need it.
  let unsaved: ReturnType<typeof neverSaved> | undefined
  const opened = (turn: readonly Message[]) => {
    unsaved ??= neverSaved(ws, conversations)
    const { from, to } = rangeOf(turn, turns[turns.indexOf(turn as Message[]) + 1])
    const text = bytes.subarray(from, to).toString('utf8')
    return documentNamedIn(text, [...conversations, ...unsaved]) ?? openedAt(turn, unsaved)
  }
  const parts = unkeptParts(turns, { holder: (id) => holders.get(id), opened, types: ws.types })
  return {
    report,
    before: countByPath(turns.flat(), holders),
    ranges: rangesByPath(turns, holders, rangeOf),
    parts: parts.map(({ turns: unkept, next, ...part }) => ({
      ...part,
      ...{ turns: unkept.length, title: titleFrom(unkept.flat()) ?? '' },
      at: new Date(unkept[0]![0]!.timestamp),
      ...rangeOf(unkept[0], next),
    })),
  }
}

function sharedIds(messages: readonly Message[]): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>()
  return new Set(messages.map(({ native_id: id }) => id).filter((id) => seen.size === seen.add(id).size))
}

function countByPath(messages: readonly Message[], holders: ReadonlyMap<string, string>): Kept['before'] {
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
): Kept['ranges'] {
  const ranges: Kept['ranges'] = []
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
