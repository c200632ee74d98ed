import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureLocalFolder, localFiles } from '../layout.ts'
import { listMetadataBackups, removeMetadataBackup } from './metadata-backup.ts'

/**
 * Returns the folder in which new conversations are made, where git does not see them. Removes the conversations that
 * killed processes have left there. The metadata of a new conversation may be held back already, under the path that it
 * was to have (`metadata-backup.ts`): only the inode of its folder says whose it is.
 */
export function emptyMakingFolder(local: string): string {
  const { making } = localFiles(local)
  ensureLocalFolder(local, making)
  const left = readdirSync(making).map((name) => join(making, name))
  if (left.length === 0) return making
  const inodes = new Set(left.map((path) => lstatSync(path).ino))
  for (const { path, held } of listMetadataBackups(local))
    if (held !== undefined && inodes.has(held.folder)) removeMetadataBackup(local, path)
  for (const path of left) rmSync(path, { recursive: true, force: true })
  return making
}
