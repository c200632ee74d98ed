import { readerOf } from '../../clients/index.ts'
import type { Message } from '../../session/schema.ts'
import { withOwnCalls } from './own-call-ids.ts'

/**
 * Reads the messages in a part of a native session's transcript, without side files. By default, `to` is the end of
 * `bytes`.
 */
export function messagesIn(
  { client, nativeId }: { client: string; nativeId: string },
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): Message[] {
  const raw = { nativeId, bytes, from, to, sideFiles: [], readSideFile: () => undefined }
  return withOwnCalls(readerOf(client).reading.read(raw)).messages
}

/**
 * Returns the offset of a message's line: the line that contains the message's id, or else the line that the message's
 * place in the talk names, for clients whose lines have no ids.
 */
export function offsetOf(bytes: Uint8Array, { native_id: id, seq = 0 }: Message): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const index = typeof id === 'string' && id !== '' ? buffer.indexOf(JSON.stringify(id)) : -1
  if (index !== -1) return buffer.lastIndexOf('\n', index) + 1
  let start = 0
  for (let line = 1; line <= seq && start !== -1; line++) start = buffer.indexOf('\n', start) + 1 || -1
  return start === -1 ? undefined : start
}
