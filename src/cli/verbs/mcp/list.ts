import { listConversations } from '../../../journeys/finding/list.ts'
import { withLiveCounts } from '../../../journeys/finding/live-counts.ts'
import { parseStatus } from '../../../session/lifecycle.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { conversationTable } from '../../conversation-lines.ts'
import { type Arguments, numberIn, optionalText } from './arguments.ts'
import { DATA, safeText } from './bounded.ts'

const DEFAULT_LIMIT = 20

/** Lists all conversations that are not archived, including old and completed ones, newest first. Throws `usage`. */
export async function listAnswer(ws: Workspace, given: Arguments): Promise<string> {
  const type = optionalText(given, 'type')
  const asked = optionalText(given, 'status')
  const status = asked === undefined ? undefined : parseStatus(asked)
  const limit = numberIn(given, 'limit') ?? DEFAULT_LIMIT
  const { conversations, broken } = listConversations(ws)
  const found = conversations.filter(
    (one) =>
      !one.archived &&
      (type === undefined || one.type === type) &&
      (status === undefined || one.status.status === status),
  )
  if (found.length === 0)
    return conversations.length === 0 ? 'There are no conversations yet.' : 'No conversation is of this kind.'
  const shown = await withLiveCounts(ws, found.slice(0, limit))
  const hidden = found.length - shown.length
  return [
    DATA,
    '',
    ...conversationTable(shown, undefined).map(safeText),
    ...(hidden > 0 ? [`${hidden} more: a higher limit shows them.`] : []),
    ...(broken.length > 0 ? [`${broken.length} cannot be read; cortext doctor says why.`] : []),
  ].join('\n')
}
