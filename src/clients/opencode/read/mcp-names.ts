/**
 * Names a tool of an MCP server as in the record: OpenCode calls it `<server>_<tool>`, the record
 * `mcp__<server>__<tool>`.
 */
export function canonicalTool(name: string, servers: readonly string[]): string {
  const server = servers
    .map((one) => one.replace(/[^A-Za-z0-9_-]/g, '_'))
    .filter((one) => name.startsWith(`${one}_`))
    .sort((a, b) => b.length - a.length)[0]
  return server === undefined ? name : `mcp__${server}__${name.slice(server.length + 1)}`
}
