import { isAbsolute, relative } from 'node:path'
import { CortextError } from '../../../errors.ts'
import { realFolder } from '../../../io/real-folder.ts'
import { oneLine } from '../../../text/line.ts'
import { gitFoldersAt } from '../../../workspace/git/place.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { findRepository } from '../../../workspace/repository.ts'

/**
 * Throws `refused` for a place in the project or in its git repository, also by a link, a URL or a file `.git`: that git
 * would see the conversations, and send them with the project.
 */
export function checkIsElsewhere({ root }: Workspace, address: string): void {
  const { top = root, common = top } = findRepository(root) ?? {}
  // A work tree of another branch has its repository elsewhere.
  const isOwn = (path: string) => [top, common].some((folder) => isBelow(path, realFolder(folder)))
  if (!gitFoldersAt(address).some(isOwn)) return
  throw new CortextError('refused', `${oneLine(address)} is in this project, whose git would see it`, {
    fix: 'name a folder elsewhere, a URL, or user@host:path',
  })
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}
