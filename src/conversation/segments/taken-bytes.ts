import type { Message } from '../../session/schema.ts'

/**
 * The bytes of what messages say: texts, thoughts, tool calls and results, and the files that were attached. A record of
 * a client holds much besides: ids, usage, signatures, and copies of results.
 */
export function takenBytes(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + bytesOf(message), 0)
}

function bytesOf({
  event,
  content,
  reasoning = '',
  tool_calls: calls,
  attachments = [],
  ...rest
}: Message): number {
  if (event !== undefined) return bytesIn(rest.raw) + bytesIn(rest.summary)
  const files = attachments.reduce((sum, { bytes }) => sum + bytes, 0)
  return bytesIn(content) + bytesIn(reasoning) + bytesIn(calls) + files
}

function bytesIn(value: unknown): number {
  if (value === undefined) return 0
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
}
