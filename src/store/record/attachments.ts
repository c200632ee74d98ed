import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { ensureFolder } from '../../io/ensure-folder.ts'
import { recordFiles } from '../layout.ts'

/**
 * Writes contents that are too long for a line into a conversation folder, each under its sha256. Files that are there
 * stay. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeAttachments(folder: string, blobs: ReadonlyMap<string, Uint8Array>): void {
  if (blobs.size === 0) return
  const { attachments } = recordFiles(folder)
  ensureFolder(dirname(folder), attachments, 0o755)
  for (const [sha256, bytes] of blobs)
    if (!existsSync(join(attachments, sha256))) writeFileAtomic(join(attachments, sha256), bytes)
}
