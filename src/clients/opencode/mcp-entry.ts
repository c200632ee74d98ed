import { serverEntry } from '../shared/setup/mcp-entry.ts'

/** Our server in `opencode.json`, which the client reads beside an `opencode.jsonc`. */
export const mcpEntry = serverEntry({
  client: 'opencode',
  file: 'opencode.json',
  haveComments: true,
  haveTrailingCommas: true,
  // Otherwise the client adds it at its next start (1.18.33).
  blank: { $schema: 'https://opencode.ai/config.json' },
  servers: 'mcp',
  entry: { type: 'local', command: ['cortext', 'mcp'], enabled: true },
  variables: 'environment',
})
