import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import type { Tools } from '../contract/tools.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'
import { configFolder } from './home.ts'

export const tools: Tools = {
  vocabulary: {
    read: { reads: 'filePath' },
    write: { writes: 'filePath' },
    edit: { edits: 'filePath' },
    multiedit: { edits: 'filePath' },
    apply_patch: { patches: 'patchText' },
    grep: { searches: 'path' },
    bash: { shell: 'command' },
  },
  // OpenCode cuts an output of more than 50 KiB or 2,000 lines, and names a file with the whole output (1.18.33).
  shellOutput: { bytes: 50_000, lines: 1_990 },
  mcpServers,
}

/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
function mcpServers(environment: Environment, folder: string): string[] {
  const files = [configFolder(environment), folder, join(folder, '.opencode')].flatMap((directory) =>
    ['opencode.json', 'opencode.jsonc'].map((name) => join(directory, name)),
  )
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readSettings(file).mcp))))]
}
