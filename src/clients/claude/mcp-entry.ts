import { serverEntry } from '../shared/setup/mcp-entry.ts'

/**
 * Our server in `.mcp.json`. The client asks the person once whether the project's servers may be used (2.1.197).
 */
export const mcpEntry = serverEntry({
  client: 'claude',
  file: '.mcp.json',
  servers: 'mcpServers',
  entry: { command: 'cortext', args: ['mcp'] },
  variables: 'env',
})
