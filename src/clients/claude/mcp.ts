import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { realFolder } from '../../io/real-folder.ts'
import { readSettings } from '../shared/setup/settings-files.ts'
import { fieldsOf } from '../shared/transcript/fields.ts'

/**
 * The names of the MCP servers that are configured for a folder: by the project, for this person in it, or everywhere.
 */
export function mcpServers(environment: Environment, folder: string): string[] {
  const config = environment.env.CLAUDE_CONFIG_DIR
  const own = readSettings(join(config || environment.home, '.claude.json'))
  const project = fieldsOf(fieldsOf(own.projects)[realFolder(folder)])
  const named = [readSettings(join(folder, '.mcp.json')), own, project].map((one) =>
    Object.keys(fieldsOf(one.mcpServers)),
  )
  return [...new Set(named.flat())]
}
