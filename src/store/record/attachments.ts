import { isFileInside, writeInside } from '../../io/inside.ts'
import { RECORD } from '../layout.ts'

/**
 * Writes contents that are too long for a line into a conversation folder, each under its sha256. Files that are there
 * stay. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeAttachments(folder: string, blobs: ReadonlyMap<string, Uint8Array>): void {
  for (const [sha256, bytes] of blobs) {
    const path = `${RECORD.attachments}/${sha256}`
    if (!isFileInside(folder, path)) writeInside(folder, path, bytes)
  }
}
