import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { sha256 } from '../../hash.ts'
import { isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import type { Workspace } from '../../workspace/open.ts'
import { listConversations } from '../finding/list.ts'
import { readableConversation } from './kept.ts'
import { bytesOfSession } from './named-file.ts'
import { namedSessions } from './named-sessions.ts'

/**
 * Returns a session in a file under an id of its own. A program that scrubs transcripts can give one id to several
 * sessions. It is another one if conversations have a session of this id, and no message of it is there under its id,
 * with its time and its words. Its id then has an end that is made of its first message, so it is the same at every
 * import.
 */
export function withOwnId(ws: Workspace, session: NativeSession): NativeSession {
  const { client, nativeId } = session
  const known = namedSessions(ws, listConversations(ws).conversations).find(
    (one) => one.client === client && one.nativeId === nativeId,
  )
  const conversations = (known?.namedBy ?? []).map(({ path }) => readableConversation(ws, path))
  const recorded = new Map<string, Message>()
  for (const conversation of conversations) {
    if (conversation === undefined || conversation.pruned.size > 0) return session
    for (const message of conversation.messages) recorded.set(message.id, message)
  }
  if (recorded.size === 0) return session
  const raw = { nativeId, bytes: bytesOfSession(session), sideFiles: [], readSideFile: () => undefined }
  const said = readerOf(client).reading.read(raw).messages.filter(isTalk)
  const [first] = said
  if (first === undefined || said.some((message) => isSame(message, recorded.get(message.id)))) return session
  const own = sha256(JSON.stringify([first.timestamp, textOf(first)])).slice(0, 8)
  return { ...session, nativeId: `${nativeId}~${own}` }
}

/** In the record, secrets have become placeholders. Such a message counts as the same. */
function isSame(message: Message, recorded: Message | undefined): boolean {
  if (recorded === undefined || recorded.timestamp !== message.timestamp) return false
  const text = textOf(recorded)
  return text === textOf(message) || text.includes('[REDACTED:')
}
