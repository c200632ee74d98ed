import { dirname, isAbsolute, relative, sep } from 'node:path'
import { realFolder } from '../../../io/real-folder.ts'
import { readSettings } from '../setup/settings-files.ts'

/**
 * What `trustedFolders.json` of a client of this family decides about a folder: its longest path that contains the folder
 * counts. Undefined when no path does.
 */
export function trustIn(file: string, folder: string): boolean | undefined {
  const [nearest] = Object.entries(readSettings(file))
    .filter(([path, level]) => contains(level === 'TRUST_PARENT' ? dirname(path) : path, folder))
    .sort(([a], [b]) => b.length - a.length)
  if (nearest?.[1] === 'DO_NOT_TRUST') return false
  return nearest?.[1] === 'TRUST_FOLDER' || nearest?.[1] === 'TRUST_PARENT' ? true : undefined
}

function contains(folder: string, inner: string): boolean {
  const relativePath = relative(realFolder(folder), realFolder(inner))
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
}
