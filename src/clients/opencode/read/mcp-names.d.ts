/**
 * Names a tool of an MCP server as in the record: OpenCode calls it `<server>_<tool>`, the record
 * `mcp__<server>__<tool>`.
 */
export declare function canonicalTool(name: string, servers: readonly string[]): string;
