import { serverEntry } from '../shared/setup/mcp-entry.ts'
import { SETTINGS_FILE, settingsBlank } from './hook-settings.ts'

/** Our server in the project's settings, where our hooks are too. */
export const mcpEntry = serverEntry({
  client: 'qwen',
  file: SETTINGS_FILE,
  haveComments: true,
  blank: settingsBlank,
  servers: 'mcpServers',
  entry: { command: 'cortext', args: ['mcp'] },
  variables: 'env',
})
