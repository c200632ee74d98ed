import { existsSync } from 'node:fs'
import type { NativeSession } from '../../clients/contract/sessions.ts'
import { readerOf } from '../../clients/index.ts'
import { CortextError } from '../../errors.ts'
import { listBindings } from '../../store/machine/list-bindings.ts'
import type { Workspace } from '../../workspace/open.ts'
import { unimportedAmong } from './unimported.ts'

/**
 * Returns the sessions that some clients have of the folders in which this workspace was before somebody renamed or moved
 * it, and that no conversation has. A folder that is there again is another one.
 */
export function sessionsOfEarlierPlaces(ws: Workspace, clients: Iterable<string>): NativeSession[] {
  const roots = new Set(listBindings(ws.local).map(({ root }) => root))
  const gone = [...roots].filter((root) => root !== ws.root && !existsSync(root))
  if (gone.length === 0) return []
  const sessions = [...clients].flatMap((client) => gone.flatMap((root) => locate(ws, client, root)))
  return unimportedAmong(ws, sessions)
}

function locate({ environment }: Workspace, client: string, folder: string): NativeSession[] {
  try {
    return readerOf(client).sessions.locate(environment, folder)
  } catch (error) {
    // What the client says of this folder has been said already.
    if (error instanceof CortextError) return []
    throw error
  }
}
