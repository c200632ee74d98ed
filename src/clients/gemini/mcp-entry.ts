import { serverEntry } from '../shared/setup/mcp-entry.ts'
import { settingsFile } from './hook-settings.ts'

/** Our server in the project's settings, where our hooks are too. */
export const mcpEntry = serverEntry({
  client: 'gemini',
  file: settingsFile(false),
  haveComments: true,
  servers: 'mcpServers',
  entry: { command: 'cortext', args: ['mcp'] },
  variables: 'env',
})
