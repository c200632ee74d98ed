import { readLookedAt } from '../../store/machine/looked-at.ts'
import { indexStamp } from '../../workspace/git/index-stamp.ts'
import type { Workspace } from '../../workspace/open.ts'
import type { Settled } from './settle.ts'

/**
 * Does what git cannot know after it has merged (settle.ts), when its index has changed since that was looked for last.
 * Most of the time that costs one `stat`: the import is dynamic, because lists have to be quick.
 */
export async function settleMerges(ws: Workspace): Promise<Settled> {
  const stamp = ws.config.visibility === 'shared' && ws.keepIndex ? indexStamp(ws.root) : undefined
  const before = stamp === undefined ? undefined : readLookedAt(ws.local, ws.root)
  if (stamp === undefined || stamp === before?.stamp) return { apart: [], joined: [], counted: [] }
  return (await import('./settle.ts')).settleAll(ws, stamp, before)
}
