import { isFileInside, MAX_LINES, readBytesInside, statInside, writeInside } from '../../io/inside.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../layout.ts'

/** Contents by their sha256: bytes, or a text that is written as UTF-8. */
export type Blobs = Map<string, Uint8Array | string>

/**
 * Writes contents that are too long for a line into a conversation folder, each under its sha256. Existing files stay
 * as they are. Throws `disk-full`, `unwritable` or `unsafe-path`.
 */
export function writeAttachments(folder: string, blobs: Readonly<Blobs>): void {
  for (const [sha256, bytes] of blobs) {
    const path = `${RECORD.attachments}/${sha256}`
    if (!isFileInside(folder, path)) writeInside(folder, path, bytes)
  }
}

/** Whether this machine has an attachment. Git does not carry attachments. */
export function hasAttachment(folder: string, sha256: string): boolean {
  return HASH.test(sha256) && isFileInside(folder, `${RECORD.attachments}/${sha256}`)
}

/** The bytes of an attachment; undefined when it is larger than `maxBytes` or not here. Throws `unreadable`. */
export function readAttachment(folder: string, sha256: string, maxBytes: number): Uint8Array | undefined {
  const path = `${RECORD.attachments}/${sha256}`
  const stats = HASH.test(sha256) ? statInside(folder, path) : undefined
  return stats?.isFile() === true && stats.size <= maxBytes
    ? readBytesInside(folder, path, maxBytes)
    : undefined
}

/**
 * The whole text of a tool result that is shortened in its line; undefined when the text is not here. Throws
 * `unreadable`.
 */
export function wholeText(folder: string, { truncated }: Message): string | undefined {
  if (truncated === undefined || !HASH.test(truncated.sha256)) return undefined
  return readBytesInside(folder, `${RECORD.attachments}/${truncated.sha256}`, MAX_LINES)?.toString('utf8')
}

/** A record from elsewhere can contain any text, such as `../../x`, in place of a hash. */
const HASH = /^[0-9a-f]{64}$/
