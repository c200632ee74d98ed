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
