import { CortextError } from '../../errors.ts'
import { redactText } from '../../redact/index.ts'
import { wrongKey } from '../../session/agent-turn.ts'
import { withLock } from '../../store/machine/locks/lock.ts'
import { readMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { scanConversations } from '../../store/scan.ts'
import { oneLine } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { create, type NewOne } from '../conversation/create.ts'

/** Throws `usage` for a text that cannot be the key of a conversation. */
export function checkKey(ws: Workspace, key: string): string {
  const wrong = wrongKey(key) ?? (ws.config.redact && redactText(key).text !== key ? SECRET : undefined)
  if (wrong === undefined) return key
  throw new CortextError('usage', `not a key: ${wrong}`, {
    fix: 'a key names a source, such as discord:channel:123',
  })
}

/** Replaced, it would name another conversation; as it is, it would be published. */
const SECRET = 'it holds what looks like a secret'

/**
 * The workspace-relative path of the conversation with a key, from metadata only. Two clones may each have made one:
 * then it is the older one, everywhere.
 */
export function findByKey(ws: Workspace, key: string): string | undefined {
  const [oldest] = scanConversations(ws.root, ws.local, ws)
    .flatMap(({ path, session }) => {
      const known = session ?? readMetadataBackup(ws.local, path)?.session
      return known?.key === key ? [{ path, since: Date.parse(known.created_at) }] : []
    })
    .sort((a, b) => a.since - b.since)
  return oldest?.path
}

/** The same; throws `not-found` where there is none. */
export function pathOfKey(ws: Workspace, key: string): string {
  const path = findByKey(ws, checkKey(ws, key))
  if (path !== undefined) return path
  throw new CortextError('not-found', `no conversation has the key ${JSON.stringify(oneLine(key))}`, {
    fix: 'cortext list --all',
  })
}

/** The same; where there is none it is made, by one process, with what `begin` gives it, or not at all. */
export async function findOrCreate(
  ws: Workspace,
  key: string,
  type: string,
  begin: () => NonNullable<NewOne['begin']>,
): Promise<{ path: string; created: boolean }> {
  const there = findByKey(ws, key)
  if (there !== undefined) return { path: there, created: false }
  return withLock(ws.local, `key/${key}`, async () => {
    const made = findByKey(ws, key)
    if (made !== undefined) return { path: made, created: false }
    // The title that lists show; the folder is named after it, by the rules of every title.
    const { path } = await create(ws, { type, title: oneLine(key), key, begin: begin() })
    return { path, created: true }
  })
}
