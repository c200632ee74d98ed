import { clientOf } from '../../clients/index.ts'
import type { Message } from '../../session/schema.ts'

/** Reads the messages in a part of a native session's transcript, without side files. `to` is the end by default. */
export function messagesIn(
  { client, nativeId }: { client: string; nativeId: string },
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): Message[] {
  const raw = { nativeId, bytes, from, to, sideFiles: [], readSideFile: () => undefined }
  return clientOf(client).reading.read(raw).messages
}
