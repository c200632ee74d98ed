import { lstatSync, mkdirSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { CortextError } from '../errors.ts'
import { paste } from '../text/paste.ts'
import { errnoOf, fileError } from './file-error.ts'
import { makeFolders } from './real-folder.ts'

/** This file is part of the hook bundle: it imports only node's modules and other files of the bundle. */

/**
 * Makes `root`, `folder` and the folders between them if they are missing. `root` may be reached through symlinks.
 * Throws `unsafe-path` when `folder` is outside `root`, or when a symlink or a file is in its place or in the place of
 * a folder between them.
 */
export function ensureFolder(root: string, folder: string, mode = 0o755): void {
  const way = relative(root, folder)
  if (isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`))
    throw new CortextError('unsafe-path', `${folder} is not below ${root}`)
  try {
    makeFolders(root, mode)
    let current = root
    for (const name of way === '' ? [] : way.split(sep)) {
      current = join(current, name)
      ensureOne(current, mode)
    }
  } catch (error) {
    throw fileError(error, folder, 'write')
  }
}

function ensureOne(folder: string, mode: number): void {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) {
    makeOne(folder, mode)
    return
  }
  if (found.isDirectory()) return
  const what = found.isSymbolicLink() ? 'a symbolic link' : 'a file'
  throw new CortextError('unsafe-path', `${folder} is ${what}, where a folder should be`, {
    fix: paste`move it away: mv ${folder} ${`${folder}.old`}`,
  })
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    // Another process has just made something at this path.
    ensureOne(folder, mode)
  }
}
