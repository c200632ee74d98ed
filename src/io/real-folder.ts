import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The absolute path of a folder, with its links resolved. For a folder that is gone or may not be read, returns its
 * absolute path.
 */
export function realFolder(folder: string): string {
  const absolute = resolve(folder)
  try {
    return realpathSync(absolute)
  } catch {
    // The folder may have been deleted under a running client. The path still has parent folders, and sessions may name
    // it.
    return absolute
  }
}
