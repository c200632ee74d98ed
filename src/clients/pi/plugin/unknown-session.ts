import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { isInWorkspace } from '../../shared/plugin/place.ts'

/**
 * Whether a session certainly belongs to no conversation, so that cortext need not be started: there is no workspace, or
 * it does not know the session. For the latter this looks only at the usual layout: `.workspace` and `.git` are folders
 * in Pi's folder. When in doubt, the answer is no. The paths are those of src/workspace/local-folder.ts and
 * src/store/layout.ts.
 */
export function isUnknown(folder: string, session: string): boolean {
  if (!isInWorkspace(folder)) return true
  // The file name of a binding encodes other characters of an id.
  if (!/^[A-Za-z0-9-]+$/.test(session) || !isFolder(join(folder, '.git'))) return false
  const local = join(folder, '.git', 'cortext')
  if (existsSync(local) && !isFolder(local)) return false
  // `.workspace/local` may contain what was recorded before the repository was made.
  if (!isFolder(join(folder, '.workspace')) || existsSync(join(folder, '.workspace', 'local'))) return false
  const notes = [`bindings/pi-${session}.json`, `cleared-pi-${process.pid}.json`]
  return !notes.some((path) => existsSync(join(local, path)))
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
