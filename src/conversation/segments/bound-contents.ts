import { crypto } from '../../hash.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import type { Blobs } from '../../store/record/attachments.ts'
import { textPieces } from '../../text/json-pieces.ts'

/** Limit in bytes for the head, and for the tail, of a tool result that is too long for its line. */
const MAX_PART_BYTES = 8 * 1024

export interface Bounds {
  /** `full`: all of a tool result is kept. A number: at most this number of bytes. `metadata`: nothing of it. */
  toolOutput: 'full' | 'metadata' | number
  /** Limit in bytes for a tool result in a line of messages.jsonl. */
  inline: number
}

/**
 * Cuts tool results that are too long for a line: head and tail stay around a marker with the full size and the hash.
 * The bound is the greatest length of a cut result; a marker that is longer than the bound stays whole. If `toolOutput`
 * allows the full result, it is added to `blobs` (→ `attachments/`). What people and agents said is never cut.
 */
export function boundContents(messages: readonly Message[], bounds: Bounds, blobs: Blobs): Message[] {
  const allowed = maxBytes(bounds.toolOutput)
  const limit = Math.min(bounds.inline, allowed)
  return messages.map((message) => {
    if (message.role !== 'tool') return message
    const text = textOf(message)
    // A UTF-16 unit has at most three bytes, so most contents need not be encoded.
    if (text.length * 3 <= limit) return message
    const bytes = Buffer.byteLength(text)
    if (bytes <= limit) return message
    // The bytes of a very long text are never in memory as a whole.
    const hash = crypto().createHash('sha256')
    for (const piece of textPieces(text)) hash.update(piece)
    const sha256 = hash.digest('hex')
    if (bytes <= allowed) blobs.set(sha256, text)
    const content = withText(message, headAndTail({ text, bytes }, sha256, limit))
    return { ...message, content, truncated: { bytes, sha256 } }
  })
}

function maxBytes(toolOutput: Bounds['toolOutput']): number {
  if (toolOutput === 'full') return Number.POSITIVE_INFINITY
  return toolOutput === 'metadata' ? 0 : toolOutput
}

function headAndTail(
  { text, bytes }: { text: string; bytes: number },
  sha256: string,
  limit: number,
): string {
  const marker = `[… ${bytes} bytes in all, sha256 ${sha256} …]`
  const kept = Math.min(MAX_PART_BYTES, Math.floor((limit - Buffer.byteLength(`\n${marker}\n`)) / 2))
  if (kept <= 0) return marker
  // A UTF-16 unit has at least one byte, so one unit more than `kept` bytes is enough. A character that is cut in half
  // decodes as U+FFFD.
  const [first, last] = [Buffer.from(text.slice(0, kept + 1)), Buffer.from(text.slice(-kept - 1))]
  const head = first.toString('utf8', 0, kept).replace(/\ufffd$/, '')
  const tail = last.toString('utf8', last.length - kept).replace(/^\ufffd{1,3}/, '')
  return `${head}\n${marker}\n${tail}`
}

/** Replaces the text of a message's content. Parts that are not text stay, after the text. */
function withText({ content }: Message, text: string): Message['content'] {
  if (typeof content === 'string') return text
  return [{ type: 'text', text }, ...content.filter((part) => part.type !== 'text')]
}
