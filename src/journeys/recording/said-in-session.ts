import { join } from 'node:path'
import { clientOf } from '../../clients/index.ts'
import { isOwnTurn } from '../../session/control-turns.ts'
import { isTalk } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { localFiles } from '../../store/layout.ts'
import { readJournal } from '../../store/machine/journal.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { NativeHere } from './current-session.ts'

type Here = Pick<NativeHere, 'client' | 'nativeId' | 'journal' | 'turn'>

/** What was said in a native session between an offset of its journal and the turn that is now running. */
export function saidHere(ws: Workspace, here: Here, from: number): Message[] {
  return from >= here.turn ? [] : talkIn(here, journalOf(ws, here), from, here.turn)
}

/** Where in its journal a native session is nobody's: behind the last stretch of it, else at its begin. */
export function unboundFrom({ binding, journal, turn }: NativeHere): number {
  const last = binding?.stretches.at(-1)
  return last?.journal === journal ? (last.to ?? turn) : 0
}

/**
 * Where a conversation ends that is stopped in the running turn: where the turn began, if the person only asked
 * for the stop; else here, since what was said on the way to it ("REST it is. Let us stop.") is part of it.
 */
export function endOfTalk(ws: Workspace, here: Here): number {
  const bytes = journalOf(ws, here)
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf('\n') + 1
  const [first] = talkIn(here, bytes, here.turn, end)
  return first?.role === 'user' && !isOwnTurn([first]) ? Math.max(here.turn, end) : here.turn
}

function journalOf(ws: Workspace, { client, journal }: Here): Uint8Array {
  return readJournal(join(localFiles(ws.local).journal, client, journal))
}

function talkIn({ client, nativeId }: Here, bytes: Uint8Array, from: number, to: number): Message[] {
  const { messages } = clientOf(client).read({ nativeId, bytes, from, to, sides: [], side: () => undefined })
  return messages.filter(isTalk)
}
