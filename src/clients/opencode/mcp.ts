import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'

/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
export function mcpServers(environment: Environment, folder: string): string[] {
  const own = join(environment.env.XDG_CONFIG_HOME || join(environment.home, '.config'), 'opencode')
  const files = [own, folder, join(folder, '.opencode')].flatMap((one) =>
    ['opencode.json', 'opencode.jsonc'].map((name) => join(one, name)),
  )
  return [...new Set(files.flatMap((file) => Object.keys(fieldsOf(readSettings(file).mcp))))]
}
