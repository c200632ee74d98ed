import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
/**
 * OpenCode keeps its sessions in a database, so our plugin writes the transcript: it appends what OpenCode's API tells,
 * raw, one record a line. When a message changes (a tool has answered), it is appended again in its new state.
 *
 *     {"type":"session","id":…,"info":{…},"mcp":["server"]}   GET /session/ID, and the configured MCP servers
 *     {"type":"message","id":…,"info":{…},"parts":[…]}        one of GET /session/ID/message; child sessions too
 *     {"type":"removed","id":…,"sessionID":…}                 the person took it back (/undo) and went on
 *
 * Every line begins with its type and the id of what it is about. The session's own record comes first.
 */
export type OpenCodeRecord = {
    type: 'session';
    id: string;
    info: Fields;
    mcp: string[];
} | {
    type: 'message';
    id: string;
    session: string;
    info: Fields;
    parts: Fields[];
} | {
    type: 'removed';
    id: string;
    session: string;
};
/** The record of a line. Undefined for a line without one. */
export declare function recordIn(line: Line): OpenCodeRecord | undefined;
/** Whether the answer is complete: the model said that it is done, or the client says why it will not be. */
export declare function isFinal(info: Fields): boolean;
