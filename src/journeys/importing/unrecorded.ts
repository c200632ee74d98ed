import { statSync } from 'node:fs'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { clientList, clientOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import { asSlashCommand, isControlTurn, turnsOf } from '../../session/control-turns.ts'
import type { IndexEntry } from '../../session/index-entry.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { bindingPath } from '../../store/layout.ts'
import { peekBindingFile } from '../../store/machine/binding.ts'
import { segmentsOf } from '../../store/machine/list-bindings.ts'
import { paste } from '../../text/paste.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Conversation } from '../conversation/read.ts'
import { bytesOfTranscript } from '../conversation/transcript-bytes.ts'

/** What a client's own session has of a conversation beyond its record, where this machine has no binding of it. */
export interface Unrecorded {
  client: string
  nativeId: string
  transcript: string
  /** How many turns were said. */
  turns: number
  /** The part of the transcript, as byte offsets: `from` included, `to` excluded. */
  from: number
  to: number
  /** The command that takes it in. */
  command: string
}

/**
 * Looks for turns that only the client's own transcript has: this machine's own state was lost before they were saved
 * (the repository was cloned again, or `.git` was deleted). They end where the session was stopped, or went on to
 * another conversation. Undefined when there are none. Writes nothing.
 */
export function unrecordedOf(
  ws: Workspace,
  { path, session, messages, pruned }: Pick<Conversation, 'path' | 'session' | 'messages' | 'pruned'>,
): Unrecorded | undefined {
  const last = session.agent_sessions.at(-1)
  if (last === undefined) return session.key === undefined ? neverSaved(ws, path, session) : undefined
  if (isBound(ws, last, path)) return undefined
  const { transcriptPath } = clientOf(last.client).sessions
  const transcript = transcriptPath(ws.environment, ws.root, last.native_id)
  if (!wasWrittenAfter(transcript, session.last_active)) return undefined
  const native = { client: last.client, nativeId: last.native_id, transcript }
  const known = new Set([...messages.map(({ id }) => id), ...pruned.keys()])
  return beyond(ws, native, (turns) => {
    const at = turns.findLastIndex((turn) => turn.some(({ id }) => known.has(id)))
    const turn = turns[at]
    if (turn === undefined || isControlTurn(turn)) return undefined
    // The answer of the last turn may be missing.
    return turn.every(({ id }) => known.has(id)) ? { begin: at + 1, ours: at } : { begin: at, ours: at }
  })
}

/** Whether it is worth to read a conversation for unrecordedOf. */
export function mayLack(
  ws: Workspace,
  path: string,
  { native, status, message_count, key }: IndexEntry,
): boolean {
  const last = native.at(-1)
  if (last === undefined) return status === 'active' && message_count === 0 && key === undefined
  return !isBound(ws, last, path)
}

/** Whether this machine knows which part of a session belongs to a conversation. */
function isBound(
  ws: Workspace,
  { client, native_id }: { client: string; native_id: string },
  path: string,
): boolean {
  const binding = peekBindingFile(bindingPath(ws.local, client, native_id))
  // Which parts a broken one names cannot be known; doctor tells of it.
  if (binding === 'broken') return true
  return binding?.segments.some(({ conversation }) => conversation === path) === true
}

/** A conversation of which nothing was saved yet: the session in which it was begun at that moment. */
function neverSaved(ws: Workspace, path: string, session: SessionFile): Unrecorded | undefined {
  if (session.status !== 'active' || segmentsOf(ws.local, path, ws).length > 0) return undefined
  const begun = Date.parse(session.created_at)
  const apart = (turn: readonly Message[]) =>
    turn[0] !== undefined && asSlashCommand(textOf(turn[0])).startsWith(session.agent_config.command)
      ? Math.abs(Date.parse(turn[0].timestamp) - begun)
      : Number.POSITIVE_INFINITY
  for (const one of sessionsHere(ws)) {
    if (!wasWrittenAfter(one.transcript, session.created_at)) continue
    const found = beyond(ws, one, (turns) => {
      const least = turns.reduce((least, turn) => Math.min(least, apart(turn)), Number.POSITIVE_INFINITY)
      const at = turns.findIndex((turn) => apart(turn) === least)
      return least < SAME_MOMENT_MS ? { begin: at, ours: at } : undefined
    })
    if (found !== undefined) return found
  }
  return undefined
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

function beyond(
  ws: Workspace,
  { client: id, nativeId, transcript }: Pick<NativeSession, 'client' | 'nativeId' | 'transcript'>,
  partOf: (turns: readonly Message[][]) => Part | undefined,
): Unrecorded | undefined {
  const bytes = bytesOfTranscript({ client: id, transcript })
  const client = clientOf(id)
  const turns = turnsOf(client.reading.read({ nativeId, bytes, sides: [], side: () => undefined }).messages)
  const { begin, ours } = partOf(turns) ?? { begin: turns.length, ours: 0 }
  const end = turns.findIndex((turn, at) => at > ours && (isControlTurn(turn) || opens(ws, turn)))
  const part = turns.slice(begin, end === -1 ? undefined : end)
  if (part.length === 0) return undefined
  const elsewhere = client.sessions.heldElsewhere?.(ws.environment, ws.root, transcript) !== undefined
  return {
    client: id,
    nativeId,
    transcript,
    turns: part.length,
    from: lineOf(bytes, part[0]![0]!) ?? 0,
    to: (end === -1 ? undefined : lineOf(bytes, turns[end]![0]!)) ?? bytes.length,
    command: elsewhere
      ? paste`cortext import ${id} --file ${transcript}`
      : paste`cortext import ${id} ${nativeId}`,
  }
}

interface Part {
  /** The first turn that the record lacks. */
  begin: number
  /** The last turn that is known to belong to the conversation. */
  ours: number
}

/** Whether another conversation begins with this turn. */
function opens(ws: Workspace, turn: readonly Message[]): boolean {
  const typed = turn[0] && /^\/workspace\.(\S+)/.exec(asSlashCommand(textOf(turn[0])))?.[1]
  return typed !== undefined && ws.types.has(typed)
}

/** Where the line with a message begins; undefined where the transcript does not name its messages. */
function lineOf(bytes: Buffer, { native_id: id }: Message): number | undefined {
  const at = typeof id === 'string' && id !== '' ? bytes.indexOf(JSON.stringify(id)) : -1
  return at === -1 ? undefined : bytes.lastIndexOf('\n', at) + 1
}

/** A transcript is written a moment after the last message in it was said. */
function wasWrittenAfter(transcript: string, time: string): boolean {
  const mtime = statSync(transcript, { throwIfNoEntry: false })?.mtimeMs
  return mtime !== undefined && !(mtime <= Date.parse(time))
}
