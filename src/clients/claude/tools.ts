import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { Tools } from '../contract/tools.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'

export const tools: Tools = {
  vocabulary: {
    Read: { reads: 'file_path' },
    NotebookRead: { reads: 'notebook_path' },
    Write: { writes: 'file_path' },
    Edit: { edits: 'file_path', trims: true },
    MultiEdit: { edits: 'file_path', trims: true },
    NotebookEdit: { edits: 'notebook_path' },
    Grep: { searches: 'path' },
    Bash: { shell: 'command' },
    // Our reader gives this name to the shell commands that a person runs with `! cmd`.
    'bash-mode': { shell: 'command' },
  },
  // The client replaces an output of more than 30,000 characters by a preview of 2 KB and a path (2.1.197).
  shellOutput: { bytes: 29_000 },
  mcpServers,
}

/**
 * The names of the MCP servers that are configured for a folder. The project may name them in `.mcp.json`. This person
 * may name them for the project or for all projects.
 */
function mcpServers(environment: Environment, folder: string): string[] {
  const config = environment.env.CLAUDE_CONFIG_DIR
  const own = readSettings(join(config || environment.home, '.claude.json'))
  const project = fieldsOf(fieldsOf(own.projects)[realFolder(folder)])
  const named = [readSettings(join(folder, '.mcp.json')), own, project].map((settings) =>
    Object.keys(fieldsOf(settings.mcpServers)),
  )
  return [...new Set(named.flat())]
}
