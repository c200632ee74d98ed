import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { OwnRepository } from '../git/own-repository.ts'
import { branchesAt, isNewFolder, makePlace } from '../git/place.ts'
import { folderPlace, foldersAt } from './folder.ts'
import { gitPlace } from './git.ts'
import type { Kind, Place, Whereabouts } from './place.ts'

export function openPlace(repository: OwnRepository, whereabouts: Whereabouts): Place {
  return whereabouts.kind === 'folder'
    ? folderPlace(repository, whereabouts)
    : gitPlace(repository, whereabouts)
}

/** Of which kind a place is. A folder is a plain one, unless its name ends in `.git` or it is a git repository. */
export function kindOf(address: string): Kind | undefined {
  if (!isAbsolute(address) || /\.git[\\/]*$/.test(address)) return undefined
  const isRepository = ['.git', 'HEAD'].some((name) => existsSync(join(address, name)))
  const isFile = existsSync(address) && !statSync(address).isDirectory()
  return isRepository || isFile ? undefined : 'folder'
}

/**
 * The names that projects have at a place. With `makes`, a folder that is not there is made, and a repository in it if
 * it is to be one; `made` says so. Throws what files throw, and git's errors.
 */
export async function projectsAt(
  repository: OwnRepository,
  address: string,
  { kind, makes, timeoutMs }: { kind: Kind | undefined; makes: boolean; timeoutMs?: number | undefined },
): Promise<{ names: Set<string>; made: boolean }> {
  if (kind === 'folder') return foldersAt(address, makes)
  const made = makes && isNewFolder(address)
  if (made) makePlace(repository, address)
  return { names: new Set((await branchesAt(repository, address, timeoutMs)).keys()), made }
}
