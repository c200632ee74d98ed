import { readerOf } from '../../clients/index.ts'
import { withOwnCalls } from '../../clients/shared/transcript/own-call-ids.ts'
import type { Message } from '../../session/schema.ts'

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
