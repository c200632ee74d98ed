import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { Tools } from '../contract/tools.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { ownFolder } from './home.ts'

export const tools: Tools = {
  vocabulary: {
    view: { reads: 'path' },
    create: { writes: 'path' },
    edit: { edits: 'path' },
    str_replace_editor: { edits: 'path' },
    // The argument is the patch itself (1.0.72).
    apply_patch: { patches: 'input' },
    grep: { searches: 'path' },
    glob: { searches: 'path' },
    bash: { shell: 'command' },
    powershell: { shell: 'command' },
  },
  // The client moves an output of more than 20 KiB into a file, and gives its agent the first 500 characters (1.0.102).
  shellOutput: { bytes: 19_000 },
  mcpServers,
}

/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
function mcpServers(environment: Environment, folder: string): string[] {
  const files = [join(folder, '.mcp.json'), join(ownFolder(environment), 'mcp-config.json')]
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readSettings(file).mcpServers))))]
}
