import { CortextError } from '../errors.ts'
import { redactText } from '../redact/index.ts'
import { changeStatus } from '../session/lifecycle.ts'
import type { SessionFile, Status } from '../session/schema.ts'
import type { Workspace } from '../workspace/open.ts'
import { changeByPerson } from './change.ts'

export interface Change {
  title?: string
  summary?: string
  status?: Status
  tag?: string[]
  untag?: string[]
  archived?: boolean
}

/**
 * Changes metadata; the new texts are redacted. A title that a person sets is never replaced by a derived one (E-25),
 * and the folder keeps its name. `force` also allows completed → active. Throws `usage` for an empty title, `refused`
 * for a change of status that is not allowed, and what publish throws.
 */
export async function editConversation(
  ws: Workspace,
  path: string,
  change: Change,
  force: boolean,
): Promise<SessionFile> {
  const title = change.title?.trim()
  if (title === '') throw new CortextError('usage', 'a title cannot be empty')
  const edited = (session: SessionFile): SessionFile => {
    const changed = change.status === undefined ? session : changeStatus(session, change.status, force)
    const { archived_at, ...rest } = changed
    return {
      ...rest,
      ...(title === undefined ? {} : { title: clean(ws, title) }),
      ...(change.summary === undefined ? {} : { context_summary: clean(ws, change.summary.trim()) }),
      ...tagsOf(changed, change, (tag) => clean(ws, tag)),
      ...archiveDate(change.archived, archived_at, ws.environment.now()),
    }
  }
  return (await changeByPerson(ws, path, { change: edited })).session
}

function tagsOf(session: SessionFile, { tag = [], untag = [] }: Change, clean: (text: string) => string) {
  if (tag.length === 0 && untag.length === 0) return {}
  const tags = new Set([...(session.tags ?? []), ...tag.map(clean)])
  for (const one of untag) tags.delete(one)
  return { tags: [...tags] }
}

/** Returns `archived_at`, or nothing for a conversation that is not archived. Archiving again keeps the first date. */
function archiveDate(wanted: boolean | undefined, before: string | undefined, now: Date) {
  if (wanted === false || (wanted === undefined && before === undefined)) return {}
  return { archived_at: before ?? now.toISOString() }
}

function clean(ws: Workspace, text: string): string {
  return ws.config.redact ? redactText(text).text : text
}
