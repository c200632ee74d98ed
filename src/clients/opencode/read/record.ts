import { type Fields, fieldsOf, isObject, listOf, textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'

/**
 * OpenCode keeps its sessions in a database, so our plugin writes the transcript: it appends what OpenCode's API
 * returns, raw, one record a line. When a message changes (a tool has answered), the plugin appends it again in its new
 * state.
 *
 *     {"type":"session","id":…,"info":{…},"mcp":["server"]}   GET /session/ID, and the configured MCP servers
 *     {"type":"message","id":…,"info":{…},"parts":[…]}        one of GET /session/ID/message; child sessions too
 *     {"type":"removed","id":…,"sessionID":…}                 the person took it back (/undo) and continued
 *
 * Every line begins with its type and the id of what it is about. The session's own record comes first.
 */
export type OpenCodeRecord =
  | { type: 'session'; id: string; info: Fields; mcp: string[] }
  | { type: 'message'; id: string; session: string; info: Fields; parts: Fields[] }
  | { type: 'removed'; id: string; session: string }

/** The record of a line. Undefined for a line without one. */
export function recordIn(line: Line): OpenCodeRecord | undefined {
  if (line.content.kind !== 'record') return undefined
  const fields = line.content.record
  const id = textOf(fields.id)
  const info = fieldsOf(fields.info)
  if (id === '') return undefined
  if (fields.type === 'session') return { type: 'session', id, info, mcp: listOf(fields.mcp).map(textOf) }
  if (fields.type === 'removed') return { type: 'removed', id, session: textOf(fields.sessionID) }
  if (fields.type !== 'message' || textOf(info.role) === '') return undefined
  const parts = withOwnIds(listOf(fields.parts).filter(isObject))
  return { type: 'message', id, session: textOf(info.sessionID), info, parts }
}

/** A program that scrubs transcripts can give one id to many parts. A later state of a message has them in the same order. */
function withOwnIds(parts: Fields[]): Fields[] {
  const times = new Map<string, number>()
  return parts.map((part) => {
    const id = textOf(part.id)
    const before = times.get(id) ?? 0
    times.set(id, before + 1)
    return before === 0 || id === '' ? part : { ...part, id: `${id}~${before}` }
  })
}

/** Whether the answer is complete. An answer that an error has ended counts as complete. */
export function isFinal(info: Fields): boolean {
  if (isObject(info.error)) return true
  const finish = textOf(info.finish)
  return finish !== '' && finish !== 'tool-calls' && finish !== 'unknown'
}
