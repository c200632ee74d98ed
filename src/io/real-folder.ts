import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The absolute path of a folder, with its links resolved. If the folder is gone or may not be read, links are not
 * resolved.
 */
export function realFolder(folder: string): string {
  const absolute = resolve(folder)
  try {
    return realpathSync(absolute)
  } catch {
    // Somebody may have deleted the folder while a client runs in it. Its parent folders and the sessions that name it
    // can still be found by this path.
    return absolute
  }
}
