import { rmSync } from 'node:fs'
import { writeFileAtomic } from './atomic-write.ts'

/**
 * Writes files that only this user may read. Their folders must exist. Throws `disk-full`, `unwritable` or
 * `unsafe-path`.
 */
export function writePrivateFiles(files: readonly { path: string; content: string }[]): void {
  for (const { path, content } of files) writeFileAtomic(path, content, { mode: 0o600 })
}

/** Removes files, if they exist. Throws node's own errors. */
export function removeFiles(files: readonly { path: string }[]): void {
  for (const { path } of files) rmSync(path, { force: true })
}
