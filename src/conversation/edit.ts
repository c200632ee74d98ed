import { CortextError } from '../errors.ts'
import { cleanText } from '../redact/index.ts'
import { NOT_RUN } from '../session/control-turns.ts'
import { changeStatus } from '../session/lifecycle.ts'
import type { SessionFile, Status } from '../session/schema.ts'
import type { Workspace } from '../workspace/open.ts'
import { type ConversationType, findType } from '../workspace/registry.ts'
import { changeByPerson } from './change.ts'
import { withoutPrompt } from './create.ts'
import { checkCanKeepHere } from './held-back.ts'
import { changeDocument } from './naming/document.ts'

export interface Change {
  /** The name of a type of the workspace that is recorded. */
  type?: string
  title?: string
  summary?: string
  status?: Status
  tag?: string[]
  untag?: string[]
  archived?: boolean
  keepHere?: boolean
}

/**
 * Changes metadata; the new texts are redacted. A new type brings its command, which runs at the next resume, and its
 * document (`changeDocument`). A title that a person sets is never replaced by a derived one,
 * and the folder keeps its name. `force` also allows completed → active. Throws `usage` for an empty title or tag,
 * `refused` for a change that is not allowed, `not-found` for an unknown type, and what publish throws.
 */
export async function editConversation(
  ws: Workspace,
  path: string,
  change: Change,
  force: boolean,
): Promise<SessionFile> {
  const { title, type } = checkChange(ws, change)
  let before: SessionFile | undefined
  const edited = (session: SessionFile): SessionFile => {
    before = session
    const isOther = type !== undefined && type.name !== session.conversation_type
    const typed = isOther ? withType(session, type) : session
    const changed = change.status === undefined ? typed : changeStatus(typed, change.status, path, force)
    const { archived_at, keep_here, ...rest } = changed
    return {
      ...rest,
      ...(title === undefined ? {} : { title: cleanText(ws.config, title) }),
      ...(change.summary === undefined
        ? {}
        : { context_summary: cleanText(ws.config, change.summary.trim()) }),
      ...tagsOf(changed, change, (tag) => cleanText(ws.config, tag)),
      ...archiveDate(change.archived, archived_at, ws.environment.now()),
      ...((change.keepHere ?? keep_here) && { keep_here: true }),
    }
  }
  const { session } = await changeByPerson(ws, path, { change: edited })
  if (before !== undefined && before.conversation_type !== session.conversation_type)
    changeDocument(ws, path, before, session)
  return session
}

/** Throws what `editConversation` throws of a change that no conversation can have. */
export function checkChange(ws: Workspace, change: Change): { title?: string; type?: ConversationType } {
  const title = change.title?.trim()
  if (title === '') throw new CortextError('usage', 'a title cannot be empty')
  if (change.tag?.some((tag) => tag.trim() === ''))
    throw new CortextError('usage', 'a tag cannot be empty', { fix: '--tag <word>' })
  const type = change.type === undefined ? undefined : findType(ws.root, change.type)
  if (change.keepHere) checkCanKeepHere(ws)
  if (type?.session_support === false)
    throw new CortextError('refused', `conversations of the type ${type.name} are not recorded`)
  return { ...(title !== undefined && { title }), ...(type !== undefined && { type }) }
}

/** Returns the session with another type. Nobody has given its command to an agent yet. */
function withType(session: SessionFile, { name, command }: ConversationType): SessionFile {
  const { command: _, system_prompt_hash: __, unknown, ...agent } = session.agent_config
  const { system_prompt_hash: ___, ...reasons } = unknown ?? {}
  const { unknown: why, ...given } = command === undefined ? { unknown: {} } : withoutPrompt(command, NOT_RUN)
  const all = { ...reasons, ...why }
  return {
    ...session,
    conversation_type: name,
    agent_config: { ...agent, ...given, ...(Object.keys(all).length === 0 ? {} : { unknown: all }) },
  }
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
