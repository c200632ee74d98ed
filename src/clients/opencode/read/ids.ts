import { sha256 } from '../../../crypto.ts'

/**
 * The canonical id of what a native record says. It depends only on the record's own id (`msg_…` and `prt_…` are
 * global), so it is the same on every machine and at every import. `parts` tell several messages of one record apart. A
 * fork has other ids, because OpenCode gives every message in it a new one.
 */
export function messageId(nativeId: string, ...parts: string[]): string {
  return sha256(['opencode', nativeId, ...parts].join('\0')).slice(0, 32)
}
