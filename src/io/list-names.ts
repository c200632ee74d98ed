import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { errnoOf, fileError } from './file-error.ts'

/** The names in a folder that end in `suffix` and do not begin with a dot; none when there is no such folder. */
export function listNames(folder: string, suffix: string): string[] {
  return listAllNames(folder, suffix).filter((name) => !name.startsWith('.'))
}

/** The names in a folder that end in `suffix`, also names with a dot in front; none when there is no such folder. */
export function listAllNames(folder: string, suffix: string): string[] {
  return ifThere(folder, () => readdirSync(folder).filter((name) => name.endsWith(suffix)))
}

/** The paths of all files below a folder, relative to it; none when there is no such folder, but for example a link. */
export function listFilesBelow(folder: string): string[] {
  return ifThere(folder, () => {
    if (!lstatSync(folder).isDirectory()) return []
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  })
}

function ifThere(folder: string, list: () => string[]): string[] {
  try {
    return list()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, folder, 'read')
  }
}
