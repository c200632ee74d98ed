import { clientOf } from '../../clients/index.ts'
import { hasEnded } from '../../io/process.ts'
import { statsOf } from '../../io/regular-file.ts'
import { rootOf } from '../../store/machine/binding.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import { oneLine } from '../../text/line.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Returns a line for the person about each other session that is writing into a conversation. A session
 * whose client has ended does not count, even if its segment is still live.
 */
export function otherWriters(ws: Workspace, conversation: string, nativeId: string): string[] {
  return listLive(ws.local, ws)
    .filter(({ binding, segment }) => segment.conversation === conversation && binding.native_id !== nativeId)
    .filter(({ segment }) => segment.process === undefined || !hasEnded(segment.process))
    .map((one) => {
      const { binding, segment } = one
      const at = statsOf(binding.transcript)?.mtime ?? new Date(segment.started_at)
      const name = clientOf(binding.client).name
      const place = rootOf(one) === ws.root ? '' : `, in ${oneLine(rootOf(one))}`
      return `Also open in ${name}${place} (last write ${relativeTime(at, ws.environment.now())}); both sessions are recorded whole.`
    })
}
