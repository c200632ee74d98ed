import { setTimeout } from 'node:timers/promises'
import { messagesIn, offsetOf } from '../../conversation/segments/messages-in.ts'
import { isControlTurn, isOwnCommand } from '../../session/control-turns.ts'
import { isPrompt, isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { generationPath, journalPath } from '../../store/layout.ts'
import { readForgotten } from '../../store/machine/journal/forgotten.ts'
import { listGenerations, readJournal } from '../../store/machine/journal/journal.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type CurrentSession, sessionNamed } from './current-session.ts'

type Current = Pick<CurrentSession, 'client' | 'nativeId' | 'journal' | 'turn'> &
  Partial<Pick<CurrentSession, 'live'>>

/** Returns the messages of a native session between an offset of its journal and the turn that is now running. */
export function saidInSession(ws: Workspace, current: Current, from: number): Message[] {
  return from >= current.turn ? [] : messagesIn(current, journalOf(ws, current), from, current.turn)
}

/**
 * Returns the offset in the journal after which the talk of a native session belongs to no conversation. This is the
 * end of the last segment, or 0 if there is none; in a transcript that was rewritten since, the end of what it repeats.
 * What follows a stop in its turn belongs to none: then it is the next prompt.
 */
export function unboundFrom(ws: Workspace, current: CurrentSession): number {
  const { binding, journal, turn } = current
  const last = binding?.segments.at(-1)
  if (last === undefined) return 0
  if (last.journal !== journal) return endOfRepeated(ws, current)
  const from = last.to ?? turn
  if (last.ended_by !== 'stop' || from >= turn) return from
  const bytes = journalOf(ws, current)
  const prompt = messagesIn(current, bytes, from, turn).find(isPrompt)
  return Math.max(from, (prompt && offsetOf(bytes, prompt)) ?? from)
}

/** The offset of the first message after those that an earlier generation of the journal has; the running turn if none is. */
function endOfRepeated(ws: Workspace, current: CurrentSession): number {
  const { client, nativeId, journal, turn } = current
  const earlier = new Set(readForgotten(ws.local, { client, native_id: nativeId }).seqs.keys())
  for (const { name, path } of listGenerations(journalPath(ws.local, client, nativeId)))
    if (name !== journal) for (const { id } of messagesIn(current, readJournal(path))) earlier.add(id)
  const bytes = journalOf(ws, current)
  const said = messagesIn(current, bytes, 0, turn)
  const first = said[said.findLastIndex(({ id }) => earlier.has(id)) + 1]
  return (first && offsetOf(bytes, first)) ?? turn
}

/**
 * Returns the offset at which a conversation ends if the running turn stops it, or resumes another one. If the person
 * typed a command for that, this is the beginning of the turn. If the person said it in words ("REST it is. Let us
 * stop."), these words belong to the conversation, so it is the present end of the journal.
 */
export function endOfTalk(ws: Workspace, current: Current): number {
  const bytes = journalOf(ws, current)
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf('\n') + 1
  const first = messagesIn(current, bytes, current.turn, end).find(isTalk)
  if (first === undefined) return current.turn
  // In a turn that nobody typed, as after the end of a background task, the agent goes on with what was asked before.
  const begin = current.live?.from ?? 0
  const asked = isPrompt(first) ? first : messagesIn(current, bytes, begin, current.turn).findLast(isPrompt)
  return asked !== undefined && !isOwnCommand(asked) ? Math.max(current.turn, end) : current.turn
}

/**
 * Waits until the client has written the call that stops, since it writes what the agent said before the call with it:
 * Qwen Code 0.24.4 does so while the call runs. Gives up after half a second. Returns the session as it is then.
 */
export async function awaitStopCall(ws: Workspace, current: CurrentSession): Promise<CurrentSession> {
  let now = current
  const isWritten = () => {
    const bytes = journalOf(ws, now)
    return isControlTurn(messagesIn(now, bytes, now.turn, bytes.length).filter(isTalk))
  }
  for (let tries = 0; tries < 10 && !isWritten(); tries += 1) {
    await setTimeout(50)
    now = sessionNamed(ws, now)
  }
  return now
}

function journalOf(ws: Workspace, { client, journal }: Current): Uint8Array {
  return readJournal(generationPath(ws.local, client, journal))
}
