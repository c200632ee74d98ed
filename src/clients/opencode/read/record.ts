import { type Fields, isObject, textOf } from '../../shared/transcript/fields.ts'

/**
 * OpenCode keeps its sessions in a database, so our plugin writes the transcript: it appends what OpenCode's API tells,
 * raw, one record a line. When a message changes (a tool has answered), it is appended again in its new state.
 *
 *     {"type":"session","id":…,"info":{…},"mcp":["server"]}   GET /session/ID, and the configured MCP servers
 *     {"type":"message","id":…,"info":{…},"parts":[…]}        one of GET /session/ID/message; child sessions too
 *     {"type":"message","id":…,"sessionID":…,"message":{…}}   the same of OpenCode 2
 *     {"type":"removed","id":…,"sessionID":…}                 the person took it back (/undo) and went on
 *
 * Every line begins with its type and the id of what it is about. The session's own record comes first.
 */
export type OpenCodeRecord =
  | { type: 'session'; id: string; info: Fields; mcp: string[] }
  | { type: 'message'; id: string; session: string; info: Fields; parts: Fields[] }
  | { type: 'note'; id: string; session: string }
  | { type: 'removed'; id: string; session: string }

/** Whether the answer is complete: the model said that it is done, or the client says why it will not be. */
export function isFinal(info: Fields): boolean {
  if (isObject(info.error)) return true
  const finish = textOf(info.finish)
  return finish !== '' && finish !== 'tool-calls' && finish !== 'unknown'
}
