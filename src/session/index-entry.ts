import { wholeCharacters } from '../text/whole-characters.ts'
import type { SessionFile } from './schema.ts'

/** The part of a session.json that lists, finders and searches need. Only this part is kept in the index. */
export interface IndexEntry
  extends Pick<
    SessionFile,
    | 'conversation_id'
    | 'conversation_type'
    | 'title'
    | 'status'
    | 'created_at'
    | 'last_active'
    | 'message_count'
    | 'token_count'
    | 'context_summary'
    | 'archived_at'
    | 'keep_here'
    | 'tags'
    | 'key'
    | 'origin'
  > {
  /** Git has merged another conversation of the same name into the folder. */
  merged?: true
  client: string
  /** `agent_sessions`, in their order. */
  native: { client: string; native_id: string }[]
}

export function indexEntryOf(session: SessionFile): IndexEntry {
  return {
    conversation_id: session.conversation_id,
    conversation_type: session.conversation_type,
    title: beginOf(session.title, MAX_TITLE),
    status: session.status,
    created_at: session.created_at,
    last_active: session.last_active,
    message_count: session.message_count,
    token_count: session.token_count,
    context_summary: beginOf(session.context_summary, MAX_SUMMARY),
    ...(session.archived_at === undefined ? {} : { archived_at: session.archived_at }),
    ...(session.keep_here === true && { keep_here: true }),
    ...(session.tags === undefined ? {} : { tags: session.tags }),
    ...(session.key === undefined ? {} : { key: session.key }),
    ...(session.origin === undefined ? {} : { origin: session.origin }),
    ...(session.merged === undefined ? {} : { merged: true }),
    client: session.agent_config.client,
    native: session.agent_sessions.map(({ client, native_id }) => ({ client, native_id })),
  }
}

/** Limits in characters. A list shows less, and a forged title may have megabytes. */
const MAX_TITLE = 1000
const MAX_SUMMARY = 10_000

function beginOf(text: string, length: number): string {
  return text.length <= length ? text : wholeCharacters(text.slice(0, length))
}
