import { sizeOfTranscript } from '../../conversation/transcript-bytes.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Listed } from './list.ts'

/** A list waits for no longer talk than this, in bytes of transcript: its count then is that of the last publishing. */
const MAX_BYTES = 4_000_000

/**
 * The same conversations, with the unpublished messages of those that are being recorded: so that a list says what
 * `show` says. Writes nothing.
 */
export async function withLiveCounts(ws: Workspace, listed: readonly Listed[]): Promise<Listed[]> {
  const growing = new Set(
    listLive(ws.local, ws)
      .filter(({ binding, segment }) => {
        const unread = (sizeOfTranscript(binding) ?? 0) - (segment.published_to ?? segment.from)
        return unread > 0 && unread <= MAX_BYTES
      })
      .map(({ segment }) => segment.conversation),
  )
  if (!listed.some(({ path }) => growing.has(path))) return [...listed]
  // Most lists have nothing to read, and have to be quick.
  const { readDescription } = await import('../../conversation/read-new.ts')
  return listed.map((one) => {
    if (!growing.has(one.path)) return one
    const { message_count: messages, token_count: tokens } = readDescription(ws, one.path).session
    return { ...one, messages, tokens }
  })
}
