/** A tool of an MCP server is called `<server>_<tool>` here, and `mcp__<server>__<tool>` in the record. */
export function canonicalTool(name: string, servers: readonly string[]): string {
  const server = servers
    .map((one) => one.replace(/[^A-Za-z0-9_-]/g, '_'))
    .filter((one) => name.startsWith(`${one}_`))
    .sort((a, b) => b.length - a.length)[0]
  return server === undefined ? name : `mcp__${server}__${name.slice(server.length + 1)}`
}
