import { PLAIN_TYPE } from '../text/plain-type.ts'
import type { SessionFile } from './schema.ts'
import { DEFAULT_TITLE } from './schema.ts'

/**
 * Builds a session from the path of its conversation, for a session.json that is missing or cannot be read. The path
 * has the id, the type, the words of the title, and the day. The next save takes the counts and the last activity from
 * the messages. It takes the facts about the clients from the journals, if this machine has journals. `types` are the names
 * of the types of the workspace: a type may have a hyphen in its name.
 */
export function recoveredSession(path: string, types: Iterable<string>): SessionFile {
  const parts = path.split('/')
  const id = parts.at(-1)!
  const { type, slug } = partsOf(id, types)
  const day = parts.findLast((part) => /^\d{4}-\d{2}-\d{2}$/.test(part)) ?? '1970-01-01'
  const reason = 'session.json was missing or broken'
  return {
    version: '1.0',
    conversation_id: id,
    conversation_type: type,
    title: slug.replace(/-/g, ' ') || DEFAULT_TITLE,
    status: 'paused',
    created_at: `${day}T00:00:00.000Z`,
    last_active: `${day}T00:00:00.000Z`,
    message_count: 0,
    token_count: 0,
    agent_config: {
      client: 'unknown',
      ...(type === PLAIN_TYPE ? {} : { command: `/workspace.${type}`, system_prompt_hash: 'unknown' }),
      model: 'unknown',
      tools: [],
      unknown: { ...(type === PLAIN_TYPE ? {} : { system_prompt_hash: reason }), model: reason },
    },
    context_summary: '',
    agent_sessions: [],
  }
}

/** The type and the words of the title in an id: `001-code-review-parser` → `code-review`, `parser`. */
function partsOf(id: string, types: Iterable<string>): { type: string; slug: string } {
  const [, rest] = /^\d+-(.+)$/.exec(id) ?? []
  if (rest === undefined) return { type: 'conversation', slug: '' }
  const [known] = [...types]
    .filter((type) => `${rest}-`.startsWith(`${type}-`))
    .sort((a, b) => b.length - a.length)
  const type = known ?? rest.split('-', 1)[0]!
  return { type, slug: rest.slice(type.length + 1) }
}
