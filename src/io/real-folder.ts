import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/** A folder's absolute path with its links resolved; of one that is gone, or may not be looked at, the path as it is. */
export function realFolder(folder: string): string {
  const absolute = resolve(folder)
  try {
    return realpathSync(absolute)
  } catch {
    // Deleted under a running client: it still has parents, and sessions.
    return absolute
  }
}
