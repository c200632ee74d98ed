import { serverEntry } from '../shared/setup/mcp-entry.ts'

/** Our server in `.pi/mcp.json`, which Pi reads in a trusted project. */
export const mcpEntry = serverEntry({
  client: 'pi',
  file: '.pi/mcp.json',
  servers: 'mcpServers',
  entry: { command: 'cortext', args: ['mcp'] },
  variables: 'env',
})
