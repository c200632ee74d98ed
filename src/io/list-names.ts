import { readdirSync } from 'node:fs'
import { errnoOf, fileError } from './file-error.ts'

/** The names in a folder that end in `suffix` and do not begin with a dot; none when there is no such folder. */
export function listNames(folder: string, suffix: string): string[] {
  return listAllNames(folder, suffix).filter((name) => !name.startsWith('.'))
}

/** The names in a folder that end in `suffix`, also names with a dot in front; none when there is no such folder. */
export function listAllNames(folder: string, suffix: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(suffix))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, folder, 'read')
  }
}
