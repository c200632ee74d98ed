import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { Tools } from '../contract/tools.ts'
import { TOOLS } from '../shared/genai/vocabulary.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'

export const tools: Tools = {
  vocabulary: {
    ...TOOLS,
    replace: { edits: 'file_path' },
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
