import { serverEntry } from '../shared/setup/mcp-entry.ts'

/** Our server in `.mcp.json`, which Copilot CLI reads in a trusted project, as Claude Code does (1.0.102). */
export const mcpEntry = serverEntry({
  client: 'copilot',
  file: '.mcp.json',
  servers: 'mcpServers',
  entry: { command: 'cortext', args: ['mcp'] },
  variables: 'env',
})
