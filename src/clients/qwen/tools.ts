import type { Environment } from '../../io/environment.ts'
import type { Tools } from '../contract/tools.ts'
import { TOOLS } from '../shared/genai/vocabulary.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { settingsFiles } from './home.ts'

export const tools: Tools = {
  vocabulary: {
    ...TOOLS,
    edit: { edits: 'file_path' },
    notebook_edit: { edits: 'notebook_path' },
  },
  // Of more than 25,000 characters the model gets the beginning and the end (0.24.4).
  shellOutput: { bytes: 24_000, lines: 990 },
  mcpServers,
}

/**
 * The names of the MCP servers that are configured for a folder: by the project in its settings or in `.mcp.json`, which
 * Qwen Code reads too, or for this person everywhere.
 */
function mcpServers(environment: Environment, folder: string): string[] {
  const files = [...settingsFiles(environment, folder), `${folder}/.mcp.json`]
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readSettings(file).mcpServers))))]
}
