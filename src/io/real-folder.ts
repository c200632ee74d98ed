import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** This file is part of the hook bundle: it imports only node's modules. */

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

/**
 * Makes a folder, and the folders above it that are missing. Returns whether it made the folder. Throws node's own
 * errors. Node's `recursive` tries for ever where the system refuses a folder with ENOENT, as /proc and the root of an
 * automounter do (Node 20.20).
 */
export function makeFolders(folder: string, mode = 0o777): boolean {
  try {
    mkdirSync(folder, { mode })
    return true
  } catch (error) {
    if (isFolder(folder)) return false
    const above = dirname(folder)
    const isMissing = error instanceof Error && Reflect.get(error, 'code') === 'ENOENT'
    if (!isMissing || above === folder || existsSync(above)) throw error
    makeFolders(above, mode)
  }
  return makeFolders(folder, mode)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
