import { serverEntry } from '../shared/setup/mcp-entry.ts'

/** Our server in `opencode.json`, which the client reads in addition to an `opencode.jsonc`. */
export const mcpEntry = serverEntry({
  client: 'opencode',
  file: 'opencode.json',
  haveComments: true,
  haveTrailingCommas: true,
  // The client adds this key at its next start where it is missing (1.18.33).
  blank: { $schema: 'https://opencode.ai/config.json' },
  servers: 'mcp',
  entry: { type: 'local', command: ['cortext', 'mcp'], enabled: true },
  variables: 'environment',
})
