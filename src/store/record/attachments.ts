import { isFileInside, MAX_LINES, readBytesInside, statInside, writeInside } from '../../io/inside.ts'
import type { Message } from '../../session/schema.ts'
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

/** Whether this machine has a content that is too long for a line, or a file. Git does not carry them. */
export function hasAttachment(folder: string, sha256: string): boolean {
  return HASH.test(sha256) && isFileInside(folder, `${RECORD.attachments}/${sha256}`)
}

/** The bytes of an attachment of at most `most` bytes; undefined where it is larger or not here. Throws `unreadable`. */
export function readAttachment(folder: string, sha256: string, most: number): Uint8Array | undefined {
  const path = `${RECORD.attachments}/${sha256}`
  const stats = HASH.test(sha256) ? statInside(folder, path) : undefined
  return stats?.isFile() === true && stats.size <= most ? readBytesInside(folder, path, most) : undefined
}

/** The whole text of a result that is cut in its line; undefined where it is not here. Throws `unreadable`. */
export function wholeText(folder: string, { truncated }: Message): string | undefined {
  if (truncated === undefined || !HASH.test(truncated.sha256)) return undefined
  return readBytesInside(folder, `${RECORD.attachments}/${truncated.sha256}`, MAX_LINES)?.toString('utf8')
}

/** A record from elsewhere can hold any text for a hash. */
const HASH = /^[0-9a-f]{64}$/
