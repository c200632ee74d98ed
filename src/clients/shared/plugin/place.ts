import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether there is a workspace at or above a folder. The hook looks more closely (src/workspace/root.ts). */
export function isInWorkspace(folder: string): boolean {
  return selfAndParents(folder).some(
    (parent) => lstatSync(join(parent, '.workspace'), { throwIfNoEntry: false })?.isDirectory() === true,
  )
}

/**
 * Whether another file of our plugin records the sessions of a folder. The client loads the person's file (`url`) and a
 * project's file, which is at `place` in the folder or above it. Then only the project's file records.
 */
export function isLeftToProject(url: string, folder: string, place: string): boolean {
  const files = selfAndParents(folder)
    .map((parent) => join(parent, place))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
  return files.length > 0 && !files.includes(realpathSync(fileURLToPath(url)))
}

function selfAndParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...selfAndParents(parent)]
}
