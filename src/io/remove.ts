import { rmdirSync } from 'node:fs'

/** Removes a folder if nothing is in it. */
export function rmdirIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
}
