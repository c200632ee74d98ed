import { gitSeesRecord } from '../../conversation/held-back.ts'
import { pathInside } from '../../io/inside.ts'
import { conversationLock, withLockSync } from '../../store/machine/locks/lock.ts'
import { holdMetadata } from '../../store/machine/metadata-backup.ts'
import type { Workspace } from '../../workspace/open.ts'
import { listConversations } from '../finding/list.ts'
import { compareSession } from '../not-saved/compare.ts'
import { bind } from '../recording/bind.ts'
import type { CurrentSession } from '../recording/current-session.ts'
import { adoptFolder, recoveredFrom } from './into.ts'

/**
 * Binds a running session again to the conversation that it has opened, from the turn that opened it, after this
 * machine's notes were deleted. Only the client's own transcript says which conversation that is: it has the command
 * that the person typed, and our answer. Returns the conversation's path; undefined if the transcript does not say it,
 * or the session has left the conversation since.
 */
export function bindLost(ws: Workspace, current: CurrentSession): string | undefined {
  if (current.binding !== undefined) return undefined
  const { conversations, documents } = listConversations(ws)
  const compared = compareSession(ws, current, conversations, documents)
  const part = compared?.parts.at(-1)
  if (part?.into === undefined || part.why !== 'lost') return undefined
  // Another conversation has what was said later.
  if (compared?.ranges.some(({ from, path }) => from > part.from && path !== part.into)) return undefined
  const path = part.into
  if (gitSeesRecord(ws))
    withLockSync(ws.local, conversationLock(path), () => {
      const session = recoveredFrom(ws, path, part.title)
      holdMetadata(ws.local, path, { ...session, status: 'active' }, pathInside(ws.root, path))
    })
  else adoptFolder(ws, path, part.title)
  bind(ws, current, {
    ...{ conversation: path, how: 'start', from: part.from },
    ...(part.opens === undefined ? {} : { command: `workspace.${part.opens}` }),
  })
  return path
}
