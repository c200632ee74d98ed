import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { Tools } from '../contract/tools.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { ownFolder } from './home.ts'

export const tools: Tools = {
  vocabulary: {
    read: { reads: 'path' },
    write: { writes: 'path' },
    edit: { edits: 'path' },
    grep: { searches: 'path' },
    bash: { shell: 'command' },
    powershell: { shell: 'command' },
  },
  // Pi keeps the end of an output of more than 50 KiB or 2,000 lines, and names a file with the whole (1.5.2).
  shellOutput: { bytes: 50_000, lines: 1_990 },
  // Extensions of others may bring subagents; each keeps them in its own way.
  noSubagents: true,
  mcpServers,
}

/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
function mcpServers(environment: Environment, folder: string): string[] {
  const files = [join(folder, '.pi', 'mcp.json'), join(ownFolder(environment), 'mcp.json')]
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readSettings(file).mcpServers))))]
}
