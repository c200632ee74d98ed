import type { NativeSession } from '../../clients/contract/sessions.ts'
import { messagesIn } from '../../conversation/segments/messages-in.ts'
import { sha256 } from '../../hash.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { journalPath } from '../../store/layout.ts'
import { listGenerations, readJournal } from '../../store/machine/journal/journal.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from '../finding/list.ts'
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
function isSame(message: Message, recorded: Message | undefined): boolean {
  if (recorded === undefined || recorded.timestamp !== message.timestamp) return false
  const text = textOf(recorded)
  return text === textOf(message) || text.includes('[REDACTED:')
}

/** A conversation with the talk of a session. `hasAll`: nothing of the session is missing in it. */
export interface SameTalk {
  path: string
  hasAll: boolean
}

/**
 * Finds the conversation of which a session has everything, or that has everything of the session. At each resume, older
 * versions of clients copied the history into a new file under a new id, and went on there. Of two sessions that have
 * both gone on from a common beginning, none is the other's; and a conversation that was recorded may still go on without
 * its fork. `at` is the time of the session's first message.
 */
export function sameTalk(
  ws: Workspace,
  session: NativeSession,
  at: Date,
  conversations: readonly Listed[],
): SameTalk | undefined {
  const { client } = session
  const begunThen = conversations.filter(
    ({ created, native }) =>
      created.getTime() === at.getTime() && native.some((one) => one.client === client),
  )
  if (begunThen.length === 0) return undefined
  const said = messagesIn(session, bytesOfSession(session)).filter(isTalk)
  for (const { path } of begunThen) {
    const messages = readableConversation(ws, path)?.messages ?? []
    if (!messages.every(({ event, how }) => event !== 'started' || how === 'import')) continue
    const recorded = messages.filter(isTalk)
    const byId = new Map(recorded.map((message) => [message.id, message]))
    const common = said.filter((message) => isSame(message, byId.get(message.id))).length
    const hasAll = common === said.length
    if (common > 0 && (hasAll || common === recorded.length)) return { path, hasAll }
  }
  return undefined
}
