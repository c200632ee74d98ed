import { create, type NewConversation } from '../../conversation/create.ts'
import { CortextError } from '../../errors.ts'
import { redactText } from '../../redact/index.ts'
import { LIST_ALL } from '../../session/resumable-lines.ts'
import { withLock } from '../../store/machine/locks/lock.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { isDeletedElsewhere } from '../../store/machine/place.ts'
import { scanConversations } from '../../store/scan.ts'
import { oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { wrongKey } from './agent-turn.ts'

/** Checks a key and returns it. Throws `usage` for a text that cannot be the key of a conversation. */
export function checkKey(ws: Workspace, key: string): string {
  const wrong = wrongKey(key) ?? (ws.config.redact && redactText(key).text !== key ? SECRET : undefined)
  if (wrong === undefined) return key
  throw new CortextError('usage', `not a key: ${wrong}`, {
    fix: 'a key names a source, such as discord:channel:123',
  })
}

/**
 * Why a key with a secret is refused: if it were redacted, it would name another conversation. If not, it would be
 * published.
 */
const SECRET = 'it contains what looks like a secret'

/**
 * Returns the workspace-relative path of the conversation with a key. Reads only metadata. If two clones each made a
 * conversation with the key, every machine uses the older conversation.
 */
export function findByKey(ws: Workspace, key: string): string | undefined {
  return allWithKey(ws, key)[0]
}

/**
 * The paths of all conversations with a key, the oldest first: that one counts. One that was deleted on another machine,
 * and is here for words that were never sent, comes after the others.
 */
export function allWithKey(ws: Workspace, key: string): string[] {
  return scanConversations(ws.root, ws.local, ws)
    .flatMap(({ path, session }) => {
      const metadata = session ?? readMetadataBackup(ws.local, path)?.session
      if (metadata?.key !== key) return []
      const isLast = isDeletedElsewhere(ws.local, metadata.origin)
      return [{ path, isLast, since: Date.parse(metadata.created_at) }]
    })
    .sort((a, b) => Number(a.isLast) - Number(b.isLast) || a.since - b.since)
    .map(({ path }) => path)
}

/** Like findByKey, but throws `not-found` if no conversation has the key, and `usage` for a malformed key. */
export function pathOfKey(ws: Workspace, key: string): string {
  const path = findByKey(ws, checkKey(ws, key))
  if (path !== undefined) return path
  throw new CortextError('not-found', `no conversation has the key ${JSON.stringify(oneLine(key))}`, {
    fix: LIST_ALL,
  })
}

/**
 * Like findByKey, but makes a conversation if none has the key. `begin` returns the function that writes the first
 * contents of the new conversation. Only one process makes the conversation. The conversation appears whole or not at
 * all. Throws `locked`, and what create and `begin` throw.
 */
export async function findOrCreate(
  ws: Workspace,
  key: string,
  type: string,
  begin: () => NonNullable<NewConversation['begin']>,
): Promise<{ path: string; created: boolean }> {
  const existing = findByKey(ws, key)
  if (existing !== undefined) return { path: existing, created: false }
  return withLock(ws.local, `key/${key}`, async () => {
    const made = findByKey(ws, key)
    if (made !== undefined) return { path: made, created: false }
    // The key is also the title. Lists show the title, and it gives the folder its name.
    const { path } = await create(ws, { type, title: oneLine(key), key, begin: begin() })
    return { path, created: true }
  })
}
