import { posix } from 'node:path'
import type { Client } from '../../clients/contract/client.ts'
import { CortextError } from '../../errors.ts'
import { loadRegistry } from '../registry.ts'

/**
 * Refuses files that a client would render where they do not belong: outside the folders that its prompt pack names, or
 * in a folder of ours or of git. Throws `unsafe-path` before anything is written.
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

/** Whether the path is relative, with forward slashes, and does not lead out. */
function isPlain(path: string): boolean {
  return posix.normalize(path) === path && !/^(?:\/|\.\.\/)|\\/.test(path)
}

/** Whether the path is in one of these folders. Case is ignored, because some file systems treat `.GIT` as `.git`. */
function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.toLowerCase().startsWith(`${folder.toLowerCase()}/`))
}
