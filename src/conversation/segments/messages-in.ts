import { clientOf } from '../../clients/index.ts'
import type { Message } from '../../session/schema.ts'

/** Reads the messages of a part of a native session's transcript, without its side files. `to` is the end by default. */
export function messagesIn(
  { client, nativeId }: { client: string; nativeId: string },
  bytes: Uint8Array,
  from = 0,
  to = bytes.length,
): Message[] {
  const raw = { nativeId, bytes, from, to, sideFiles: [], readSideFile: () => undefined }
  return clientOf(client).reading.read(raw).messages
}
