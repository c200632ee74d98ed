import { rmdirSync, rmSync } from 'node:fs'
import { accessFile, errnoOf } from './file-error.ts'

/** Removes a file, or a folder with everything in it, if it exists. Throws `unwritable`. */
export function removePath(path: string): void {
  accessFile(path, 'write', () => rmSync(path, { recursive: true, force: true }))
}

/** Removes a folder if it exists and is empty. */
export function rmdirIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
  }
}
