import { sha256 } from '../../../crypto.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The canonical id of what a native record says. The client's own ids are UUIDs and stay when a session is copied. Any
 * other id (a hand-made file has `m1`) means something only within its session. `parts` tell several messages of one
 * record apart.
 */
export function messageId(session: string, nativeId: string, ...parts: string[]): string {
  const own = UUID.test(nativeId) ? [nativeId] : [session, nativeId]
  return sha256(['gemini', ...own, ...parts].join('\0')).slice(0, 32)
}
