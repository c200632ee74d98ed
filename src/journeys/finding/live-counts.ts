import { sizeOfTranscript } from '../../conversation/transcript-bytes.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from './list.ts'

/**
 * The most unpublished bytes of a transcript that a list reads. If there are more, it shows the counts of the last
 * publishing.
 */
const MAX_BYTES = 4_000_000

/**
 * Adds the unpublished messages of live conversations to their counts, so that a list has the same numbers as `show`.
 * Writes nothing.
 */
export async function withLiveCounts(ws: Workspace, conversations: readonly Listed[]): Promise<Listed[]> {
  const growing = new Set(
    listLive(ws.local, ws)
      .filter(({ binding, segment }) => {
        const unread = (sizeOfTranscript(binding) ?? 0) - (segment.published_to ?? segment.from)
        return unread > 0 && unread <= MAX_BYTES
      })
      .map(({ segment }) => segment.conversation),
  )
  if (!conversations.some(({ path }) => growing.has(path))) return [...conversations]
  // The import is dynamic because most lists have nothing to read and must be quick.
  const { readDescription } = await import('../../conversation/read.ts')
  return conversations.map((one) => {
    if (!growing.has(one.path)) return one
    const { message_count: messages, token_count: tokens } = readDescription(ws, one.path).session
    return { ...one, messages, tokens }
  })
}
