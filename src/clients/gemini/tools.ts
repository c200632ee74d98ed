import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { Tools } from '../contract/tools.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'

export const tools: Tools = {
  vocabulary: {
    read_file: { reads: ['file_path', 'absolute_path'] },
    read_many_files: { reads: 'paths' },
    write_file: { writes: 'file_path' },
    replace: { edits: 'file_path' },
    // Older versions call this tool `search_file_content`.
    grep_search: { searches: 'path' },
    search_file_content: { searches: 'path' },
    run_shell_command: { shell: 'command' },
    // Our reader gives this name to the shell commands that a person runs with `!cmd`.
    'bash-mode': { shell: 'command' },
  },
  // Of more than 40,000 characters the model gets the first 8,000 and the last 32,000 (0.61.0).
  shellOutput: { bytes: 39_000 },
  mcpServers,
}

/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
function mcpServers(environment: Environment, folder: string): string[] {
  const files = [folder, environment.env.GEMINI_CLI_HOME || environment.home].map((where) =>
    join(where, '.gemini', 'settings.json'),
  )
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readSettings(file).mcpServers))))]
}
