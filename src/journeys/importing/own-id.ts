import type { NativeSession } from '../../clients/contract/sessions.ts'
import { messagesIn } from '../../conversation/segments/messages-in.ts'
import { sha256 } from '../../hash.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { journalPath } from '../../store/layout.ts'
import { listGenerations, readJournal } from '../../store/machine/journal/journal.ts'
import type { Workspace } from '../../workspace/open.ts'
import { readableConversation } from '../not-saved/compare.ts'
import { type KnownConversation, namedSession } from '../not-saved/named-sessions.ts'
import { bytesOfSession } from './named-file.ts'

/**
 * Returns a session in a file under an id of its own. A program that scrubs transcripts can give one id to several
 * sessions. It is another one if conversations have a session of this id, and neither they nor the journal have a message
 * of it under its id, with its time and its words. Its id then has an end that is made of its first message, so it is the
 * same at every import.
 */
export function withOwnId(
  ws: Workspace,
  session: NativeSession,
  conversations: readonly KnownConversation[],
): NativeSession {
  const { client, nativeId } = session
  const recorded = new Map<string, Message>()
  for (const { path } of namedSession(ws, session, conversations)?.namedBy ?? []) {
    const conversation = readableConversation(ws, path)
    if (conversation === undefined || conversation.pruned.size > 0) return session
    for (const message of conversation.messages) recorded.set(message.id, message)
  }
  if (recorded.size === 0) return session
  const said = messagesIn(session, bytesOfSession(session)).filter(isTalk)
  const isKnown = (message: Message) => isSame(message, recorded.get(message.id))
  const [first] = said
  if (first === undefined || said.some(isKnown)) return session
  // The conversations may have another part of the session than the file.
  for (const { path } of listGenerations(journalPath(ws.local, client, nativeId)))
    for (const message of messagesIn(session, readJournal(path))) recorded.set(message.id, message)
  if (said.some(isKnown)) return session
  const own = sha256(JSON.stringify([first.timestamp, textOf(first)])).slice(0, 8)
  return { ...session, nativeId: `${nativeId}~${own}` }
}

/** Tells whether a message has the time and the words of a recorded one, where secrets have become placeholders. */
export function isSame(message: Message, recorded: Message | undefined): boolean {
  if (recorded === undefined || recorded.timestamp !== message.timestamp) return false
  const text = textOf(recorded)
  return text === textOf(message) || text.includes('[REDACTED:')
}
