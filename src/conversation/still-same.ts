import { CortextError, withDefault } from '../errors.ts'
import { pathInside } from '../io/inside.ts'
import { readMetadataBackup } from '../store/machine/metadata-backup.ts'
import { whileNoSync } from '../store/machine/place.ts'
import { readSession } from '../store/record/session-file.ts'
import type { Workspace } from '../workspace/open.ts'

/** The origin of the conversation that this machine knows in a folder. */
export function originOf(ws: Workspace, path: string): string | undefined {
  return readMetadataBackup(ws.local, path)?.session.origin ?? originIn(ws.root, path)
}

/** The origin in the session.json of a folder. */
export function originIn(root: string, path: string): string | undefined {
  return withDefault(undefined, () => readSession(pathInside(root, path))?.session.origin)
}

/**
 * Calls `work` while no sync of this workspace is at work, if the conversation in this folder is still the one with this
 * origin: a sync may give the folder of a conversation to an older one. Throws `locked`, and `ambiguous` if it is not.
 */
export function whileItself<T>(
  ws: Workspace,
  path: string,
  origin: string | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  return whileNoSync(ws.local, () => {
    if (originOf(ws, path) !== origin)
      throw new CortextError(
        'ambiguous',
        `${path} is no longer the conversation that it was: nothing was changed`,
        {
          fix: 'cortext list',
        },
      )
    return work()
  })
}
