import { statSync } from 'node:fs'
import { clientOf } from '../../clients/index.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import { hasEnded } from '../../store/machine/process.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'

/**
 * Sessions other than this one that are writing into a conversation: a line each, for the person (S0-NG1, X-33). One
 * whose client is gone writes no more, whether or not anybody has ended it.
 */
export function otherWriters(ws: Workspace, conversation: string, nativeId: string): string[] {
  return listLive(ws.local, ws)
    .filter(({ binding, segment }) => segment.conversation === conversation && binding.native_id !== nativeId)
    .filter(({ segment }) => segment.process === undefined || !hasEnded(segment.process))
    .map(({ binding, segment }) => {
      const at =
        statSync(binding.transcript, { throwIfNoEntry: false })?.mtime ?? new Date(segment.started_at)
      const name = clientOf(binding.client).name
      return `Also open in ${name} (last writer ${relativeTime(at, ws.environment.now())}); both are recorded whole.`
    })
}
