import type { NativeSession } from '../../clients/contract/sessions.ts'
import { messagesIn } from '../../conversation/segments/messages-in.ts'
import { isTalk } from '../../session/live-path.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from '../finding/list.ts'
import { readableConversation } from '../not-saved/compare.ts'
import { bytesOfSession } from './named-file.ts'
import { isSame } from './own-id.ts'

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
