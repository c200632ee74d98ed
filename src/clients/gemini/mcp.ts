import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'

/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
export function mcpServers(environment: Environment, folder: string): string[] {
  const files = [folder, environment.env.GEMINI_CLI_HOME || environment.home].map((where) =>
    join(where, '.gemini', 'settings.json'),
  )
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readSettings(file).mcpServers))))]
}
