import type { ReadReport } from '../../clients/contract/reading.ts'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientList, clientOf } from '../../clients/index.ts'
import { localDate } from '../../conversation/create.ts'
import { transcriptOf } from '../../conversation/own-transcript.ts'
import { type Conversation, readConversation } from '../../conversation/read.ts'
import { bytesOfTranscript, stampOfTranscript } from '../../conversation/transcript-bytes.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { asSlashCommand, turnsOf } from '../../session/control-turns.ts'
import { textOf } from '../../session/live-path.ts'
import { recoveredSession } from '../../session/recovered.ts'
import type { Message } from '../../session/schema.ts'
import { titleFrom } from '../../session/title.ts'
import { bindingPath } from '../../store/layout.ts'
import { type Binding, mayGrow, peekBindingFile } from '../../store/machine/binding.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { type Remembered, readUnkept, writeUnkept } from '../../store/machine/unkept.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import { slugOf } from '../../workspace/slug.ts'
import { type Listed, listConversations } from '../finding/list.ts'
import { type UnkeptPart, unkeptParts } from './unkept-parts.ts'

/** What a client's own session holds that no conversation of this workspace does. */
export interface Unrecorded {
  client: string
  nativeId: string
  transcript: string
  parts: Part[]
  /** The command that takes all of it in, once. */
  command: string
}

export interface Part extends Omit<UnkeptPart, 'turns' | 'next'> {
  /** How many turns it has. */
  turns: number
  /** What its first words make for a title, and when they were said. */
  title: string
  at: Date
  /** Where it lies in the transcript, as byte offsets: `from` included, `to` excluded. */
  from: number
  to: number
}

interface Held {
  path: string
  from: number
  to: number
}

type Known = Pick<Listed, 'path' | 'native' | 'messages' | 'lastActive' | 'type' | 'created' | 'key'>
type Named = Pick<NativeSession, 'client' | 'nativeId'>

/** A native session of which a conversation holds something, and the conversations that may. */
interface Concerned extends Named {
  binding: Binding | undefined
  holding: Known[]
}

/**
 * Finds what the sessions that `conversations` were held in hold beyond all records and journals, whatever this machine
 * has noted of them. Reads every such session that is on this machine. Writes nothing.
 */
export function unrecordedIn(ws: Workspace, conversations: readonly Known[]): Unrecorded[] {
  const found = concernedIn(ws, conversations).flatMap((one) => {
    const transcript = transcriptOfOne(ws, one)
    return stampOfTranscript(transcript) === undefined
      ? []
      : (unrecordedOf(ws, one, transcript, conversations) ?? [])
  })
  return [...found, ...neverSaved(ws, conversations)]
}

/** What is known of one native session of which a conversation holds something. */
export interface Kept {
  parts: Part[]
  /** How many of its messages each conversation holds. */
  before: { path: string; messages: number }[]
  /** Where in the transcript lies what each holds, in its order, as byte offsets. */
  held: Held[]
  /** What became of every byte of the transcript. */
  report: ReadReport
}

/**
 * What conversations hold of one native session, and what none does; undefined when none holds any of it. `bytes` stand
 * for the transcript where that is a client's export.
 */
export function keptOf(
  ws: Workspace,
  native: Named & { transcript: string },
  conversations: readonly Known[],
  bytes?: Buffer,
): Kept | undefined {
  const same = (one: Named) => one.client === native.client && one.nativeId === native.nativeId
  const one = concernedIn(ws, conversations).find(same)
  if (one !== undefined) return keptBy(ws, one, native.transcript, conversations, { bytes })
  return isUnknown(ws, native)
    ? foundUnsaved(ws, native, neverSavedOf(ws, conversations), conversations)
    : undefined
}

/**
 * The same for lists, which have to be quick: what is remembered of a session holds until its transcript or what holds
 * it changes, and of changed ones no more than some megabytes are read, the newest first. Others come with the next
 * list. `left` tells how many. With `of`, only the sessions that hold something of that conversation, which is not read
 * again.
 */
export function rememberedUnrecorded(
  ws: Workspace,
  conversations: readonly Known[],
  of?: Conversation,
): { found: Remembered[]; left: number } {
  const remembered = readUnkept(ws.local)
  const now: Record<string, Remembered> = of === undefined ? {} : { ...remembered }
  const found: Remembered[] = []
  let [bytes, looks, left, changed] = [MOST_BYTES, MOST_LOOKS, 0, false]
  const newestFirst = concernedIn(ws, conversations)
    .filter(({ holding }) => of === undefined || holding.some(({ path }) => path === of.path))
    .sort((a, b) => lastActiveOf(b) - lastActiveOf(a))
  for (const one of newestFirst) {
    const name = `${one.client} ${one.nativeId}`
    const before = remembered[name]
    if (before !== undefined && before.key === keyOf(ws, one, before.transcript)) {
      now[name] = before
      found.push(before)
      continue
    }
    if (looks === 0 || bytes <= 0) {
      left += 1
      continue
    }
    looks -= 1
    const transcript = transcriptOfOne(ws, one)
    const stamp = stampOfTranscript(transcript)
    bytes -= stamp?.size ?? 0
    const beyond = stamp && unrecordedOf(ws, one, transcript, conversations, of)
    now[name] = {
      ...{ client: one.client, nativeId: one.nativeId, transcript, key: keyOf(ws, one, transcript) },
      parts: beyond?.parts ?? [],
      command: beyond?.command ?? '',
    }
    found.push(now[name])
    changed = true
  }
  if (changed && ws.keepIndex) writeUnkept(ws.local, now)
  return { found: found.filter(({ parts }) => parts.length > 0), left }
}

/** A list waits for no more than is read in about a second. At least one session is read. */
const MOST_BYTES = 50_000_000
/** Looking for a transcript may mean to walk through a client's folders. */
const MOST_LOOKS = 200

function lastActiveOf({ holding }: Concerned): number {
  return holding.reduce((last, { lastActive }) => Math.max(last, lastActive.getTime()), 0)
}

/**
 * Everything on which it depends what a session holds beyond the records. While a session goes on being recorded, its
 * end is no news.
 */
function keyOf(ws: Workspace, { binding, holding }: Concerned, transcript: string): string {
  const last = binding?.segments.at(-1)
  const grows = last !== undefined && isOurs(ws, binding!) && (last.to === undefined || mayGrow(last))
  const stamp = grows ? undefined : stampOfTranscript(transcript)
  return JSON.stringify([
    stamp && [stamp.size, stamp.mtime],
    binding?.segments.map((one) => [
      ...[one.conversation, one.journal, one.from, one.tidied ?? false],
      one === last && grows ? 'grows' : (one.to ?? 'live'),
    ]),
    holding
      .filter(({ path }) => !grows || path !== last!.conversation)
      .map(({ path, messages, lastActive }) => [path, messages, lastActive.getTime()]),
  ])
}

/** Every session that a conversation or this machine names, with the conversations that may hold something of it. */
function concernedIn(ws: Workspace, conversations: readonly Known[]): Concerned[] {
  const byPath = new Map(conversations.map((one) => [one.path, one]))
  const found = new Map<string, Concerned>()
  const at = (client: string, nativeId: string): Concerned => {
    const name = `${client} ${nativeId}`
    const one = found.get(name) ?? { client, nativeId, binding: undefined, holding: [] }
    found.set(name, one)
    return one
  }
  for (const one of conversations)
    for (const { client, native_id } of one.native) hold(at(client, native_id), one)
  for (const binding of listBindings(ws.local, ws)) {
    const paths = new Set(binding.segments.map(({ conversation }) => conversation))
    const here = [...paths].flatMap((path) => byPath.get(path) ?? [])
    if (here.length === 0 || !isOurs(ws, binding)) continue
    const one = at(binding.client, binding.native_id)
    one.binding = binding
    for (const each of here) hold(one, each)
  }
  return [...found.values()].filter(({ client }) => CLIENTS.has(client))
}

const CLIENTS = new Set(clientList().map(({ id }) => id))

function hold(one: Concerned, conversation: Known): void {
  if (!one.holding.includes(conversation)) one.holding.push(conversation)
}

function transcriptOfOne(ws: Workspace, { client, nativeId, binding }: Concerned): string {
  if (binding !== undefined) {
    const named = transcriptOf(ws, binding)
    if (stampOfTranscript(named) !== undefined) return named
  }
  try {
    return clientOf(client).sessions.transcriptPath(ws.environment, ws.root, nativeId)
  } catch (error) {
    // A record from elsewhere can name anything.
    if (error instanceof CortextError && error.code === 'unsafe-path') return ''
    throw error
  }
}

function unrecordedOf(
  ws: Workspace,
  one: Concerned,
  transcript: string,
  conversations: readonly Known[],
  read?: Conversation,
): Unrecorded | undefined {
  const kept = keptBy(ws, one, transcript, conversations, { read })
  return kept === undefined || kept.parts.length === 0
    ? undefined
    : asUnrecorded(ws, { ...one, transcript }, kept.parts)
}

function asUnrecorded(
  ws: Workspace,
  { client, nativeId, transcript }: Named & { transcript: string },
  parts: Part[],
): Unrecorded {
  const elsewhere =
    clientOf(client).sessions.heldElsewhere?.(ws.environment, ws.root, transcript) !== undefined
  const command = elsewhere
    ? paste`cortext import ${client} --file ${transcript}`
    : paste`cortext import ${client} ${nativeId}`
  return { client, nativeId, transcript, parts, command }
}

function keptBy(
  ws: Workspace,
  { client, nativeId, holding, binding }: Concerned,
  transcript: string,
  conversations: readonly Known[],
  { bytes, read }: { bytes?: Buffer | undefined; read?: Conversation | undefined } = {},
): Kept | undefined {
  const holders = new Map<string, string>()
  for (const { path } of holding) {
    const held = read?.path === path ? read : orElse(() => readConversation(ws, path))
    // What cannot be read is told by others; until then nobody knows what it lacks.
    if (held === undefined) return undefined
    for (const { id } of held.messages) holders.set(id, path)
    for (const id of held.pruned.keys()) holders.set(id, path)
  }
  const found = beyond(ws, { client, nativeId, transcript, bytes }, holders, conversations)
  // A stop in a terminal leaves no trace in the transcript.
  const stopped = (from: number) => {
    const before = binding?.segments.findLast((one) => one.to !== undefined && one.to <= from)
    return before?.ended_by === 'stop' || before?.ended_by === 'elsewhere'
  }
  const parts = found.parts.map(
    (part): Part => (part.why === 'lost' && stopped(part.from) ? { ...part, why: 'stopped' } : part),
  )
  if (found.before.length > 0) return { ...found, parts }
  // Bound, and nothing was said yet.
  return { ...found, parts, before: holding.map(({ path }) => ({ path, messages: 0 })) }
}

function orElse<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof CortextError) return undefined
    throw error
  }
}

function beyond(
  ws: Workspace,
  {
    client,
    nativeId,
    transcript,
    bytes = bytesOfTranscript({ client, transcript }),
  }: Named & { transcript: string; bytes?: Buffer | undefined },
  holders: ReadonlyMap<string, string>,
  conversations: readonly Known[],
): Kept {
  const { messages, report } = clientOf(client).reading.read({
    nativeId,
    bytes,
    sides: [],
    side: () => undefined,
  })
  const turns = turnsOf(messages)
  const begins = (turn: readonly Message[] | undefined) => turn?.[0] && lineOf(bytes, turn[0])
  // Most sessions open none that is unknown, and then nobody looks for it.
  let empty: readonly Empty[] | undefined
  const opened = (turn: readonly Message[]) => {
    empty ??= neverSavedOf(ws, conversations)
    const next = turns[turns.indexOf(turn as Message[]) + 1]
    const text = bytes.subarray(begins(turn) ?? 0, begins(next) ?? bytes.length).toString('utf8')
    return documentNamedIn(text, [...conversations, ...empty]) ?? openedAt(turn, empty)
  }
  const parts = unkeptParts(turns, { holder: (message) => holders.get(message), opened, types: ws.types })
  const before = new Map<string, number>()
  for (const { id } of turns.flat()) {
    const path = holders.get(id)
    if (path !== undefined) before.set(path, (before.get(path) ?? 0) + 1)
  }
  const held: Held[] = []
  for (const [at, turn] of turns.entries()) {
    const path = turn.map(({ id }) => holders.get(id)).find((one) => one !== undefined)
    const [from, to] = [begins(turn) ?? 0, begins(turns[at + 1]) ?? bytes.length]
    const last = held.at(-1)
    if (path === undefined) continue
    if (last?.path === path && last.to === from) last.to = to
    else held.push({ path, from, to })
  }
  return {
    report,
    held,
    before: [...before].map(([path, count]) => ({ path, messages: count })),
    parts: parts.map(({ turns: said, next, ...part }) => ({
      ...part,
      ...{ turns: said.length, title: titleFrom(said.flat()) ?? '', at: new Date(said[0]![0]!.timestamp) },
      ...{ from: begins(said[0]) ?? 0, to: begins(next) ?? bytes.length },
    })),
  }
}

/** What our own answer to a command names: `Document: conversations/2026-11-21/001-plan-beta/plan.md`. */
function documentNamedIn(text: string, conversations: readonly Known[]): string | undefined {
  const named = [...text.matchAll(/Document: ([^"\\\n]+)\/[^"\\/\n]+\.md/g)].at(-1)?.[1]
  // Seen from the folder that the client works in.
  return conversations.find(({ path }) => named === path || named?.endsWith(`/${path}`) === true)?.path
}

/**
 * Conversations of which nothing was saved and that no binding knows: each is looked for in the session in which its
 * command was typed at that moment.
 */
function neverSaved(ws: Workspace, conversations: readonly Known[]): Unrecorded[] {
  const empty = neverSavedOf(ws, conversations)
  if (empty.length === 0) return []
  const oldest = Math.min(...empty.map(({ created }) => created.getTime()))
  const named = new Set(
    conversations.flatMap(({ native }) => native.map((one) => `${one.client} ${one.native_id}`)),
  )
  return sessionsHere(ws)
    .filter((one) => !named.has(`${one.client} ${one.nativeId}`) && one.lastActive.getTime() >= oldest)
    .filter((one) => isUnknown(ws, one))
    .flatMap((one) => {
      const found = foundUnsaved(ws, one, empty, conversations)
      return found === undefined ? [] : asUnrecorded(ws, one, found.parts)
    })
}

/** A conversation that holds nothing; of one whose state was lost before its first stop only the document is left. */
interface Empty extends Known {
  isDocument?: true
}

function neverSavedOf(ws: Workspace, conversations: readonly Known[]): Empty[] {
  const empty: Empty[] = conversations.filter(
    ({ native, messages, key }) => native.length === 0 && messages === 0 && key === undefined,
  )
  for (const path of listConversations(ws).documents) {
    const { conversation_type: type, created_at } = recoveredSession(path)
    const created = new Date(created_at)
    empty.push({ path, type, created, lastActive: created, native: [], messages: 0, isDocument: true })
  }
  if (empty.length === 0) return []
  const bound = new Set(
    listBindings(ws.local, ws).flatMap(({ segments }) => segments.map((one) => one.conversation)),
  )
  return empty.filter(({ path }) => !bound.has(path))
}

function isUnknown(ws: Workspace, { client, nativeId }: Named): boolean {
  return peekBindingFile(bindingPath(ws.local, client, nativeId)) === undefined
}

function foundUnsaved(
  ws: Workspace,
  { client, nativeId, transcript }: Named & { transcript: string },
  empty: readonly Empty[],
  conversations: readonly Known[],
): Kept | undefined {
  if (empty.length === 0) return undefined
  const found = beyond(ws, { client, nativeId, transcript }, new Map(), conversations)
  return found.parts.some(({ opens, into }) => opens !== undefined && into !== undefined) ? found : undefined
}

/** The one of which nothing was saved that a turn has opened, by its command and its moment. */
function openedAt([first]: readonly Message[], empty: readonly Empty[]): string | undefined {
  const command = first === undefined ? '' : asSlashCommand(textOf(first))
  const at = new Date(first?.timestamp ?? '')
  // A document's folder tells the day and the title.
  const named = `${localDate(at)} ${slugOf(command.replace(/^\S+/, '').trim())}`
  const isNamed = (path: string) => named === path.replace(/^.*?([^/]+)\/\d+-[^-]+-([^/]*)$/, '$1 $2')
  const apart = ({ created, isDocument, path }: Empty) =>
    isDocument !== true
      ? Math.abs(at.getTime() - created.getTime())
      : isNamed(path)
        ? 0
        : Number.POSITIVE_INFINITY
  const near = empty.filter(
    (one) => command.startsWith(`/workspace.${one.type}`) && apart(one) < SAME_MOMENT_MS,
  )
  return near.sort((a, b) => apart(a) - apart(b))[0]?.path
}

/** The hook of the command opens the conversation before the client writes the prompt; an agent may do it much later. */
const SAME_MOMENT_MS = 10 * 60_000

function sessionsHere(ws: Workspace): NativeSession[] {
  return clientList().flatMap((client) => {
    try {
      return client.sessions.locate(ws.environment, ws.root)
    } catch (error) {
      // A client that has to be asked gave no answer.
      if (!(error instanceof CortextError) || error.code !== 'client-failed') throw error
      return []
    }
  })
}

/** Where the line with a message begins; undefined where the transcript does not name its messages. */
function lineOf(bytes: Buffer, { native_id: id }: Message): number | undefined {
  const at = typeof id === 'string' && id !== '' ? bytes.indexOf(JSON.stringify(id)) : -1
  return at === -1 ? undefined : bytes.lastIndexOf('\n', at) + 1
}
