import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The absolute path of a folder, with its links resolved. A folder that is gone or may not be read gives its path as it
 * is.
 */
export function realFolder(folder: string): string {
  const absolute = resolve(folder)
  try {
    return realpathSync(absolute)
  } catch {
    // The folder was deleted under a running client. It still has parents and sessions.
    return absolute
  }
}
