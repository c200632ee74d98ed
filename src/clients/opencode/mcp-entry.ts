import { serverEntry } from '../shared/setup/mcp-entry.ts'

/** Our server in `opencode.json`. The client reads this file even if there is an `opencode.jsonc`. */
export const mcpEntry = serverEntry({
  client: 'opencode',
  file: 'opencode.json',
  haveComments: true,
  haveTrailingCommas: true,
  // If this key is missing, the client adds it at its next start (1.18.33).
  blank: { $schema: 'https://opencode.ai/config.json' },
  servers: 'mcp',
  entry: { type: 'local', command: ['cortext', 'mcp'], enabled: true },
  variables: 'environment',
})
