import { catchUp } from '../../conversation/catch-up.ts'
import { paused } from '../../conversation/pause.ts'
import { publish } from '../../conversation/publish.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { statInside } from '../../io/inside.ts'
import { liveSegment } from '../../store/machine/binding.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import { listMetadataBackups } from '../../store/machine/metadata-backup.ts'
import type { Workspace } from '../../workspace/open.ts'
import { unbind } from './bind.ts'

/**
 * Ends the live segments of this work tree. Publishes every conversation of which a segment here is not published yet,
 * or whose state waits in the local folder. An active conversation becomes paused. A conversation that cannot be
 * published is in `failed`. Throws `locked` and what catchUp throws.
 */
export async function publishAll(ws: Workspace): Promise<{ published: string[]; failed: string[] }> {
  const paths = new Set<string>()
  for (const binding of listBindings(ws.local)) {
    if (!isOurs(ws, binding)) continue
    for (const { conversation, from, to, published_to: published = from } of binding.segments)
      if (to === undefined || published < to) paths.add(conversation)
    if (liveSegment(binding) === undefined) continue
    const { size } = catchUp(ws, binding)
    unbind(ws, { client: binding.client, nativeId: binding.native_id }, { to: size, by: 'stop' })
  }
  for (const { path, held } of listMetadataBackups(ws.local))
    if (held !== undefined && statInside(ws.root, path) !== undefined) paths.add(path)
  const failed: string[] = []
  for (const path of paths) {
    try {
      await publish(ws, path, { change: paused })
    } catch {
      // The caller reports the failure. The journal keeps the unpublished messages.
      failed.push(path)
    }
  }
  return { published: [...paths].filter((path) => !failed.includes(path)), failed }
}
