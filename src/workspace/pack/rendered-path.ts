import { posix } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import { CortextError } from '../../errors.ts'
import { loadRegistry } from '../registry.ts'

/**
 * Checks where a client wants to render its files. Throws `unsafe-path` for a file that is outside the folders that its
 * prompt pack names, or in a folder of cortext, of a type or of git.
 */
export function checkRendered(root: string, client: Client, paths: readonly string[], pack: string): void {
  const types = [...loadRegistry(root, pack).values()].map(({ folder }) => folder)
  const ours = ['.workspace', '.git', ...types]
  for (const path of paths) {
    if (isPlain(path) && isBelow(path, client.pack.folders) && !isBelow(path, ours)) continue
    throw new CortextError('unsafe-path', `${client.name} has no file at ${JSON.stringify(path)}`, {
      fix: 'look where the types of .workspace/registry.json have their folders',
    })
  }
}

/** Whether a path is relative, has forward slashes, and does not lead out of the workspace. */
function isPlain(path: string): boolean {
  return posix.normalize(path) === path && !/^(?:\/|\.\.\/)|\\/.test(path)
}

/** Whether a path is in one of these folders. Case is ignored, because for some file systems `.GIT` is `.git`. */
function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.toLowerCase().startsWith(`${folder.toLowerCase()}/`))
}
