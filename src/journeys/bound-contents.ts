import { createHash } from 'node:crypto'
import type { Message } from '../session/schema.ts'

/** Bytes of head and of tail that stay of a content that is too long for its line. */
const KEPT = 8 * 1024

export interface Bounds {
  /** `full`, the most bytes of a tool result, or `metadata` for none of them. */
  toolOutput: 'full' | 'metadata' | number
  /** The most bytes that any tool result takes in a line. */
  inline: number
}

/**
 * Tool results that are too long for a line keep head and tail around a marker that gives the full size and
 * hash; the whole goes to `blobs` (→ `attachments/`). What people and agents said is never cut.
 */
export function boundContents(
  messages: readonly Message[],
  bounds: Bounds,
  blobs: Map<string, Uint8Array>,
): Message[] {
  return messages.map((message) => {
    if (message.role !== 'tool' || typeof message.content !== 'string') return message
    const limit =
      bounds.toolOutput === 'metadata' ? 0 : Math.min(bounds.inline, inlineLimit(bounds.toolOutput))
    // A character is at most three bytes here: most contents need no count.
    if (message.content.length * 3 <= limit) return message
    const bytes = Buffer.from(message.content)
    return bytes.length <= limit ? message : cut(message, message.content, bytes, bounds, blobs)
  })
}

function inlineLimit(toolOutput: 'full' | number): number {
  return toolOutput === 'full' ? Number.POSITIVE_INFINITY : toolOutput
}

function cut(
  message: Message,
  content: string,
  bytes: Buffer,
  bounds: Bounds,
  blobs: Map<string, Uint8Array>,
): Message {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const kept =
    bounds.toolOutput === 'full' ? KEPT : Math.min(KEPT, Math.floor(Number(bounds.toolOutput) / 2) || 0)
  if (bounds.toolOutput === 'full') blobs.set(sha256, bytes)
  const marker = `\n[… ${bytes.length} bytes in all, sha256 ${sha256} …]\n`
  const shortened =
    kept === 0
      ? marker.trim()
      : `${wholeCharacters(content.slice(0, kept))}${marker}${wholeCharacters(content.slice(-kept))}`
  return { ...message, content: shortened, truncated: { bytes: bytes.length, sha256 } }
}

/** A slice may begin or end in half a surrogate pair. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '')
}
