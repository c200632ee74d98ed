import type { OwnServer } from '../../contract/settings.ts';
type Settings = Record<string, unknown>;
/** How a client's file names our MCP server. */
export interface OurServer {
    /** The client's id. */
    client: string;
    /** The file, relative to the workspace root. */
    file: string;
    haveComments?: true;
    haveTrailingCommas?: true;
    blank?: Settings;
    /** The key that holds servers by their names. */
    servers: string;
    /** What a client needs to start `cortext mcp`. */
    entry: Settings;
    /** The entry's key for variables: an empty one remembers that the key of servers was there, and empty. */
    variables: string;
}
/**
 * Our server in a client's file, under the name `cortext`. It is known by what it starts: what the person has added to
 * it stays as long as it is there, and another server of that name is left alone. `add` throws `refused` when the
 * servers do not have the documented shape.
 */
export declare function serverEntry(ours: OurServer): OwnServer;
export {};
