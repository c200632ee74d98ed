import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { isTalk } from '../../session/live-path.ts'
import type { Workspace } from '../../workspace/open.ts'
import { listConversations } from '../finding/list.ts'
import { readableConversation } from './kept.ts'
import { bytesOfSession } from './named-file.ts'

/** A conversation with the talk of a session. `hasAll`: nothing of the session is missing in it. */
export interface SameTalk {
  path: string
  hasAll: boolean
}

/**
 * Finds the conversation of which a session has everything, or that has everything of the session. At each resume, older
 * versions of clients copied the history into a new file under a new id, and went on there. Of two sessions that have
 * both gone on from a common beginning, none is the other's. `at` is the time of the session's first message.
 */
export function sameTalk(ws: Workspace, session: NativeSession, at: Date): SameTalk | undefined {
  const { client, nativeId } = session
  const begunThen = listConversations(ws).conversations.filter(
    ({ created, native }) =>
      created.getTime() === at.getTime() && native.some((one) => one.client === client),
  )
  if (begunThen.length === 0) return undefined
  const raw = { nativeId, bytes: bytesOfSession(session), sideFiles: [], readSideFile: () => undefined }
  const said = readerOf(client).reading.read(raw).messages.filter(isTalk)
  for (const { path } of begunThen) {
    const recorded = readableConversation(ws, path)?.messages.filter(isTalk) ?? []
    const times = new Map(recorded.map(({ id, timestamp }) => [id, timestamp]))
    const common = said.filter(({ id, timestamp }) => times.get(id) === timestamp).length
    const hasAll = common === said.length
    if (common > 0 && (hasAll || common === recorded.length)) return { path, hasAll }
  }
  return undefined
}
