import { type Dirent, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TEMP_SUFFIX } from '../../io/atomic-write.ts'
import { errnoOf } from '../../io/file-error.ts'

/**
 * Removes the temporary files of killed processes in a folder and below it. No write takes a minute, so a file that is
 * older belongs to one of them. Follows no links, and skips what it cannot read or remove.
 */
export function removeLeftTemps(folder: string): void {
  for (const entry of filesBelow(folder)) {
    if (!entry.isFile() || !OURS.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    skipping(() => {
      if (Date.now() - lstatSync(file).mtimeMs > LEFT_OVER_AFTER_MS) rmSync(file, { force: true })
    })
  }
}

/** The names that atomic-write.ts and copies.ts make. */
const OURS = new RegExp(`\\.[0-9a-f]{16}\\${TEMP_SUFFIX}$`)

const LEFT_OVER_AFTER_MS = 60_000

function filesBelow(folder: string): Dirent[] {
  const read = () =>
    lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true, recursive: true }) : []
  return skipping(read) ?? []
}

function skipping<T>(step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}
