import { rmdirSync } from 'node:fs'

/** Removes a folder if it exists and is empty. */
export function rmdirIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
}
