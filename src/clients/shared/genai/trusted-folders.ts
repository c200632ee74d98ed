import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
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
  const relativePath = relative(real(folder), real(inner))
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // An entry may name a folder that is gone.
    return path
  }
}
