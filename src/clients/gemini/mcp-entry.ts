import { serverEntry } from '../shared/setup/mcp-entry.ts'
import { SETTINGS_FILE } from './hook-settings.ts'

/** Our server in the project's settings, where our hooks are too. */
export const mcpEntry = serverEntry({
  client: 'gemini',
  file: SETTINGS_FILE,
  haveComments: true,
  servers: 'mcpServers',
  entry: { command: 'cortext', args: ['mcp'] },
  variables: 'env',
})
