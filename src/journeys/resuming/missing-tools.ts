import { clientOf } from '../../clients/index.ts'
import type { Message } from '../../session/schema.ts'
import type { Workspace } from '../../workspace/open.ts'

/** The MCP tools that the conversation called and whose server the client no longer has. */
export function missingTools(ws: Workspace, messages: readonly Message[], client: string): string[] {
  const called = new Set(
    messages
      .flatMap((message) => message.tool_calls ?? [])
      .flatMap(({ name }) => (name.startsWith('mcp__') ? [name] : [])),
  )
  if (called.size === 0) return []
  const servers = clientOf(client).tools.mcpServers?.(ws.environment, ws.root) ?? []
  return [...called].filter(
    (tool) => !servers.some((server) => tool.startsWith(`mcp__${serverName(server)}__`)),
  )
}

/** A server's name in the form that clients use inside the names of its tools. */
function serverName(server: string): string {
  return server.replace(/[^A-Za-z0-9_-]/g, '_')
}
